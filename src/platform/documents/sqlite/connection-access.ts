import type { SqliteConnection } from '../../sqlite/driver.js';
import { DocumentQuery } from './document-query.js';
import { DocumentWriter } from './document-writer.js';
import type { CollectionLayout } from './layout.js';
import type { Tally } from './range-reader.js';

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
