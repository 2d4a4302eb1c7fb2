import { Logger } from '@nestjs/common';
import {
  type CollectionSpec,
  type DocumentDatabase,
  type DocumentStore,
} from '../../src/document-store/document-store.js';
import { isPassing } from './decode-batch.js';
import type { ProjectionRecord } from './projection-record.js';

const DATABASE = 'registry';
const RECORDS = 'projections';
const collections: Readonly<Record<string, CollectionSpec>> = { [RECORDS]: {} };

/** Which database of each projection is live, and how the projection is. Like all documents it can be deleted. */
export class Registry {
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly database: DocumentDatabase,
    private readonly stored: ReadonlyMap<string, ProjectionRecord>,
  ) {}

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

  /** As it was when the registry was opened. */
  atStart(projection: string): ProjectionRecord | undefined {
    return this.stored.get(projection);
  }

  /** One transition after the other: `transition` sees what the ones before it have made. */
  inTurn<T>(transition: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(transition, transition);
    this.turn = mine;
    return mine;
  }

  async put(record: ProjectionRecord): Promise<void> {
    const records = this.database.collection<ProjectionRecord>(RECORDS);
    await records.replaceOne({ _id: record._id }, record, { upsert: true });
  }

  async close(): Promise<void> {
    await this.inTurn(() => this.database.close());
  }

  private static async read(store: DocumentStore): Promise<Registry> {
    const database = await store.database(DATABASE);
    await database.ensure(collections);
    const records = database.collection<ProjectionRecord>(RECORDS);
    const found = await records.find({}, { sort: { _id: 1 }, limit: 1000 });
    return new Registry(database, new Map(found.map((record) => [record._id, record])));
  }
}
