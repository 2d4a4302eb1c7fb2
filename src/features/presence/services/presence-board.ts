import { randomUUID } from 'node:crypto';
import type { Bus } from '../../../platform/bus/bus.js';
import type { DocumentDatabase, DocumentStore, StoredDocument } from '../../../platform/documents/document-store.js';
import { GatheredWrites } from '../../../platform/documents/gathered-writes.js';
import { HOUR_MS } from '../../../platform/kernel/durations.js';
import type { JsonObject } from '../../../platform/kernel/json.js';
import type { Presence } from '../domain/presence.js';

const TOPIC = 'presence';
const DATABASE = 'presence';
const LAST_SEEN = 'last-seen';
const PAGE = 1000;

interface LastSeenDocument extends StoredDocument, Presence {
  /** The user's id. */
  readonly _id: number;
}

export interface BoardEntry extends Presence {
  readonly userId: number;
  /** Greater than that of every earlier change. About milliseconds since 1970, so that it is so in every process. */
  readonly updateId: number;
}

interface PresenceBoardOptions {
  readonly store: DocumentStore;
  readonly bus: Bus;
  readonly onFailure: (error: unknown) => void;
  readonly now?: () => number;
}

/**
 * Who is present, in the memory of each process (D25). A change travels on the bus; one that is lost comes again with the
 * next ping. When somebody was last seen is stored at most once an hour, and when a process stops: safe to lose.
 */
export class PresenceBoard {
  /** By user, in the order of their changes. */
  private readonly entries = new Map<number, BoardEntry>();
  /** What is stored of users who pinged this process. */
  private readonly stored = new Map<number, number>();
  private newest = -1;
  private readonly self = randomUUID();
  private readonly stopListening: () => void;

  private constructor(
    private readonly bus: Bus,
    private readonly writes: GatheredWrites<LastSeenDocument>,
    private readonly onFailure: (error: unknown) => void,
    readonly now: () => number,
  ) {
    this.stopListening = bus.subscribe(TOPIC, (message) => this.receive(message));
  }

  static async open({ store, bus, onFailure, now = Date.now }: PresenceBoardOptions): Promise<PresenceBoard> {
    const database = await store.database(DATABASE);
    await database.ensure({ [LAST_SEEN]: {} });
    const writes = new GatheredWrites<LastSeenDocument>({ database, collection: LAST_SEEN, onFailure });
    const board = new PresenceBoard(bus, writes, onFailure, now);
    for (const { _id: userId, activeAt, connectedAt } of await allIn(database)) {
      if (!board.entries.has(userId)) board.put({ userId, activeAt, connectedAt, updateId: connectedAt });
    }
    return board;
  }

  /** The greatest id of a change; -1: there was none. */
  get lastUpdateId(): number {
    return this.newest;
  }

  of(userId: number): BoardEntry | undefined {
    return this.entries.get(userId);
  }

  /** All entries, in the order of their changes. */
  all(): Iterable<BoardEntry> {
    return this.entries.values();
  }

  /** Takes a change down, and tells other processes. */
  record(userId: number, { activeAt, connectedAt }: Presence): void {
    const entry = this.put({ userId, activeAt, connectedAt, updateId: this.now() });
    void this.bus.publish(TOPIC, { ...entry, from: this.self }).catch(this.onFailure);
    if (connectedAt - (this.stored.get(userId) ?? 0) >= HOUR_MS) this.store(entry);
  }

  /** Stores when everybody who pinged this process was last seen. */
  async onApplicationShutdown(): Promise<void> {
    this.stopListening();
    for (const [userId, at] of this.stored) {
      const entry = this.entries.get(userId);
      if (entry && entry.connectedAt !== at) this.store(entry);
    }
    await this.writes.flush();
  }

  private store({ userId, activeAt, connectedAt }: BoardEntry): void {
    this.stored.set(userId, connectedAt);
    this.writes.put({ _id: userId, activeAt, connectedAt });
  }

  /** Changes of other processes get an id of this one if they come late: its clients have heard of greater ids. */
  private put(entry: BoardEntry): BoardEntry {
    this.newest = Math.max(this.newest + 1, entry.updateId);
    const last = { ...entry, updateId: this.newest };
    this.entries.delete(entry.userId);
    this.entries.set(entry.userId, last);
    return last;
  }

  private receive(message: JsonObject): void {
    if (message.from === this.self || !isEntry(message)) return;
    const { userId, activeAt, connectedAt, updateId } = message;
    this.put({ userId, activeAt, connectedAt, updateId });
  }
}

/** Processes of another version may publish another form. */
const isEntry = (message: object): message is BoardEntry =>
  'userId' in message &&
  typeof message.userId === 'number' &&
  'updateId' in message &&
  typeof message.updateId === 'number' &&
  'connectedAt' in message &&
  typeof message.connectedAt === 'number' &&
  'activeAt' in message &&
  (message.activeAt === null || typeof message.activeAt === 'number');

/** Reads all documents. Users who were seen last come last. */
async function allIn(database: DocumentDatabase): Promise<readonly LastSeenDocument[]> {
  const collection = database.collection<LastSeenDocument>(LAST_SEEN);
  const found: LastSeenDocument[] = [];
  for (let after = 0; ; ) {
    const page = await collection.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: PAGE });
    found.push(...page);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return found.sort((a, b) => a.connectedAt - b.connectedAt);
    after = last._id;
  }
}
