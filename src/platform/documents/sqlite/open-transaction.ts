import { type EventPlace, placeOf } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import type { SqliteConnection } from '../../sqlite/driver.js';
import {
  type Collection,
  type CollectionWrites,
  DocumentStoreUnavailable,
  type DocumentTransaction,
  type StoredDocument,
  type WriteResult,
} from '../document-store.js';
import { DocumentQuery } from './document-query.js';
import { DocumentWriter } from './document-writer.js';
import type { CollectionLayout } from './layout.js';
import type { Tally } from './range-reader.js';
import { type CollectionAccess, SqliteCollection } from './sqlite-collection.js';
import { asUnavailable } from './sqlite-failure.js';

/** One query and one writer for each layout, on one connection. */
export class ConnectionAccess {
  private readonly queries = new Map<CollectionLayout, DocumentQuery>();
  private readonly writers = new Map<CollectionLayout, DocumentWriter>();

  constructor(
    private readonly connection: SqliteConnection,
    private readonly tally: Tally,
    private readonly withinTransaction: boolean,
  ) {}

  query(layout: CollectionLayout): DocumentQuery {
    const known = this.queries.get(layout);
    if (known) return known;
    const query = new DocumentQuery(this.connection, layout, this.tally, this.withinTransaction);
    this.queries.set(layout, query);
    return query;
  }

  writer(layout: CollectionLayout): DocumentWriter {
    const known = this.writers.get(layout);
    if (known) return known;
    const writer = new DocumentWriter(this.connection, layout);
    this.writers.set(layout, writer);
    return writer;
  }

  forget(): void {
    this.queries.clear();
    this.writers.clear();
  }
}

export class OpenTransaction implements DocumentTransaction {
  /** The reason to refuse further calls: SQLite may have rolled back, and would commit each further write by itself. */
  private ended: unknown = null;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly path: string,
    private readonly compiled: ConnectionAccess,
    private readonly layout: (name: string) => CollectionLayout,
  ) {}

  collection<D extends StoredDocument>(name: string): Collection<D> {
    const layout = this.layout(name);
    const access: CollectionAccess = {
      read: async (work) => this.guarded(() => work(this.compiled.query(layout))),
      write: async (work) => this.guarded(() => work(this.compiled.writer(layout), this.compiled.query(layout))),
    };
    return new SqliteCollection<D>(access);
  }

  async writeAll(
    writes: readonly CollectionWrites[],
    checkpoint?: Position,
    event?: EventPlace,
  ): Promise<readonly WriteResult[]> {
    const results: WriteResult[] = [];
    for (const { collection, operations } of writes) {
      results.push(await this.collection(collection).bulkWrite(operations));
    }
    if (checkpoint !== undefined) await this.setCheckpoint(checkpoint, event);
    return results;
  }

  async setCheckpoint(position: Position, event?: EventPlace): Promise<void> {
    this.guarded(() => {
      this.connection.prepare('INSERT OR REPLACE INTO checkpoint VALUES (1, ?)').run(position);
      if (!event) return;
      const stored = JSON.stringify(placeOf(event));
      this.connection.prepare('INSERT OR REPLACE INTO checkpointEvent VALUES (1, ?)').run(stored);
    });
  }

  end(): void {
    this.failIfDoomed();
    this.ended = new Error('the transaction has ended');
  }

  private failIfDoomed(): void {
    if (this.ended !== null) throw this.ended;
  }

  private guarded<T>(work: () => T): T {
    this.failIfDoomed();
    try {
      return work();
    } catch (error) {
      const failure = asUnavailable(error, this.path);
      if (failure instanceof DocumentStoreUnavailable) this.ended = failure;
      throw failure;
    }
  }
}
