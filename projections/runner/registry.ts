import { Logger } from '@nestjs/common';
import {
  type Collection,
  type CollectionSpec,
  type DocumentDatabase,
  type DocumentStore,
  DuplicateKey,
} from '../../src/document-store/document-store.js';
import { Fenced } from '../../src/processes/fence.js';
import { isPassing } from './decode-batch.js';
import type { ProjectionRecord } from './projection-record.js';

const DATABASE = 'registry';
const RECORDS = 'projections';
const EVERY = { sort: { _id: 1 }, limit: 1000 } as const;
const collections: Readonly<Record<string, CollectionSpec>> = { [RECORDS]: {} };

/** Which database of each projection is live, and how the projection is. Like all documents it can be deleted. */
export class Registry {
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(private readonly database: DocumentDatabase) {}

  /** One that cannot be read is begun anew: every projection is then built again. */
  static async open(store: DocumentStore): Promise<Registry> {
    try {
      return await Registry.read(store);
    } catch (error) {
      if (isPassing(error)) throw error;
      new Logger('Projections').warn(`the registry of documents cannot be read and is begun anew: ${String(error)}`);
      await store.dropDatabase(DATABASE);
      return Registry.read(store);
    }
  }

  /** Those that are stored, by projection. */
  async all(): Promise<ReadonlyMap<string, ProjectionRecord>> {
    const found = await this.records().find({}, EVERY);
    return new Map(found.map((record) => [record._id, record]));
  }

  /** As it is stored now; null before anything has been. */
  async load(projection: string): Promise<ProjectionRecord | null> {
    return this.records().findOne({ _id: projection });
  }

  /** One transition after the other: `transition` sees what the ones before it have made. */
  inTurn<T>(transition: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(transition, transition);
    this.turn = mine;
    return mine;
  }

  /** @throws Fenced where the projection belongs to a later holder of its lease */
  async put(record: ProjectionRecord): Promise<void> {
    const { _id, token } = record;
    const filter = token === undefined ? { _id } : { _id, token: { $lte: token } };
    try {
      await this.records().replaceOne(filter, record, { upsert: true });
    } catch (error) {
      throw error instanceof DuplicateKey ? new Fenced(_id) : error;
    }
  }

  async close(): Promise<void> {
    await this.inTurn(() => this.database.close());
  }

  private static async read(store: DocumentStore): Promise<Registry> {
    const database = await store.database(DATABASE);
    await database.ensure(collections);
    const registry = new Registry(database);
    await registry.all();
    return registry;
  }

  private records(): Collection<ProjectionRecord> {
    return this.database.collection<ProjectionRecord>(RECORDS);
  }
}
