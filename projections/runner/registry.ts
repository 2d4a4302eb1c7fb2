import { Logger } from '@nestjs/common';
import { Fenced } from '../../src/platform/cluster/fence.js';
import {
  type Collection,
  type CollectionSpec,
  type DocumentDatabase,
  type DocumentStore,
  DuplicateKey,
} from '../../src/platform/documents/document-store.js';
import { Mutex } from '../../src/platform/kernel/mutex.js';
import { isTransient } from './decode-batch.js';
import type { ProjectionRecord } from './projection-record.js';

export const REGISTRY_DATABASE = 'registry';
const RECORDS = 'projections';
const EVERY = { sort: { _id: 1 }, limit: 1000 } as const;
const collections: Readonly<Record<string, CollectionSpec>> = { [RECORDS]: {} };

/** The record of each projection: its live database and its state. Like all documents it can be deleted. */
export class Registry {
  private readonly turns = new Mutex();

  private constructor(private readonly database: DocumentDatabase) {}

  /** Replaces an unreadable registry by an empty one: every projection is then built again. */
  static async open(store: DocumentStore): Promise<Registry> {
    try {
      return await Registry.read(store);
    } catch (error) {
      if (isTransient(error)) throw error;
      new Logger('Projections').warn(`the registry of documents cannot be read and is begun anew: ${String(error)}`);
      await store.dropDatabase(REGISTRY_DATABASE);
      return Registry.read(store);
    }
  }

  /** The stored records, by projection, as `all`. Creates nothing: none if there is no registry. */
  static async stored(store: DocumentStore): Promise<ReadonlyMap<string, ProjectionRecord>> {
    if (!(await store.databases()).includes(REGISTRY_DATABASE)) return new Map();
    const database = await store.database(REGISTRY_DATABASE);
    try {
      return (await database.has(RECORDS)) ? await new Registry(database).all() : new Map();
    } finally {
      await database.close();
    }
  }

  /** The stored records, by projection. */
  async all(): Promise<ReadonlyMap<string, ProjectionRecord>> {
    const found = await this.records().find({}, EVERY);
    return new Map(found.map((record) => [record._id, record]));
  }

  /** The stored record; null before the first. */
  async load(projection: string): Promise<ProjectionRecord | null> {
    return this.records().findOne({ _id: projection });
  }

  /** Runs transitions one after the other: each sees the results of those before. */
  inTurn<T>(transition: () => Promise<T>): Promise<T> {
    return this.turns.run(transition);
  }

  /** @throws Fenced if a later holder of the lease has the projection */
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
    const database = await store.database(REGISTRY_DATABASE);
    await database.ensure(collections);
    const registry = new Registry(database);
    await registry.all();
    return registry;
  }

  private records(): Collection<ProjectionRecord> {
    return this.database.collection<ProjectionRecord>(RECORDS);
  }
}
