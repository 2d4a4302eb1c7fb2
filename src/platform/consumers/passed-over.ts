import { type Fence, writeBehind } from '../cluster/fence.js';
import type {
  BulkOperation,
  CollectionSpec,
  DocumentDatabase,
  DocumentStore,
  StoredDocument,
} from '../documents/document-store.js';
import type { EventPlace } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';

/** An event that a follower of the log could not handle, and has passed over. */
export interface PassedOver {
  readonly follower: string;
  readonly type: string;
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  /** Name of the error. Its message may quote people's words, which can be deleted: only the log's line has it. */
  readonly error: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

type PassedOverDocument = PassedOver & StoredDocument & { readonly _id: string };

/** The place of an event, and its type. */
export type NamedPlace = EventPlace & { readonly type: string };

const COLLECTION = 'passed_over';
const SPEC: CollectionSpec = { indexes: [{ keys: { position: 1, _id: 1 } }] };
const PAGE = 200;

const idOf = (follower: string, eventId: string): string => `${follower}/${eventId}`;

/** The events that the followers of one database have passed over. */
export class PassedOverList {
  private constructor(
    private readonly database: DocumentDatabase,
    private readonly fence: Fence | undefined,
    private readonly ids: Set<string>,
  ) {}

  static async open(database: DocumentDatabase, fence?: Fence): Promise<PassedOverList> {
    await database.ensure({ [COLLECTION]: SPEC });
    const list = new PassedOverList(database, fence, new Set());
    for await (const { follower, eventId } of list.all()) list.ids.add(idOf(follower, eventId));
    return list;
  }

  has(follower: string, { id }: NamedPlace): boolean {
    return this.ids.has(idOf(follower, id));
  }

  /** @throws Fenced */
  async add(follower: string, event: NamedPlace, error: unknown): Promise<void> {
    const _id = idOf(follower, event.id);
    const { type, id: eventId, stream, revision, position } = event;
    const entry = { follower, type, eventId, stream, revision, position };
    const replacement = { ...entry, _id, error: nameOf(error), at: Date.now() };
    await this.write({ replaceOne: { filter: { _id }, replacement, upsert: true } });
    this.ids.add(_id);
  }

  /** @throws Fenced */
  async remove(follower: string, eventId: string): Promise<void> {
    const _id = idOf(follower, eventId);
    await this.write({ deleteOne: { filter: { _id } } });
    this.ids.delete(_id);
  }

  /** Reads the list in log order. Changes on the way are allowed. */
  async *all(): AsyncGenerator<PassedOver> {
    const sort = { position: 1, _id: 1 } as const;
    let next: Readonly<Record<string, unknown>> = {};
    for (;;) {
      const page = await this.database.collection<PassedOverDocument>(COLLECTION).find(next, { sort, limit: PAGE });
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      const { position, _id } = last;
      next = { $or: [{ position, _id: { $gt: _id } }, { position: { $gt: position } }] };
    }
  }

  private write(operation: BulkOperation<StoredDocument>): Promise<void> {
    const writes = [{ collection: COLLECTION, operations: [operation] }];
    return writeBehind(this.fence, this.database, { writes });
  }
}

/** The events of several databases that were passed over. */
export interface PassedOverReport {
  readonly count: number;
  /** The newest ones by their place in the log, newest first. */
  readonly newest: readonly PassedOver[];
}

/** Reads what all followers have passed over, whichever process runs them. @param most length of `newest` */
export async function passedOverIn(
  store: DocumentStore,
  databases: readonly string[],
  most: number,
): Promise<PassedOverReport> {
  const existing = new Set(await store.databases());
  const reports: PassedOverReport[] = [];
  for (const name of databases) if (existing.has(name)) reports.push(await reportOf(store, name, most));
  const newest = reports.flatMap((report) => report.newest).sort((a, b) => b.position - a.position);
  return { count: reports.reduce((sum, { count }) => sum + count, 0), newest: newest.slice(0, most) };
}

async function reportOf(store: DocumentStore, name: string, most: number): Promise<PassedOverReport> {
  const database = await store.database(name);
  try {
    if (!(await database.has(COLLECTION))) return { count: 0, newest: [] };
    await database.ensure({ [COLLECTION]: SPEC });
    const entries = database.collection<PassedOverDocument>(COLLECTION);
    const [count, found] = await Promise.all([
      entries.countDocuments({}),
      entries.find({}, { sort: { position: -1, _id: -1 }, limit: most }),
    ]);
    return { count, newest: found.map(({ _id, ...entry }) => entry) };
  } finally {
    await database.close();
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
