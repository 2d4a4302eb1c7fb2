import type { Row, SqliteConnection } from '../../sqlite/driver.js';
import {
  type DocumentId,
  type FieldProjection,
  type Filter,
  type FindOptions,
  type StoredDocument,
} from '../document-store.js';
import { type FilterBranches, filterBranches } from '../filter-branches.js';
import { type Plan, planFilter, type SortKeys } from '../planner.js';
import type { DocumentWriter, StoredRow } from './document-writer.js';
import type { CollectionLayout, IndexLayout } from './layout.js';
import { predicate, sortedDocuments } from './mingo-query.js';
import { columnShape, parseDocument, projector } from './projection.js';
import { RangeReader, type Tally } from './range-reader.js';
import { TextSearch } from './text-search.js';

/** How many documents are asked for where mingo may refuse some of them. */
const LEAST_CHUNK = 32;

/** Answers filters from one connection. */
export class DocumentQuery {
  private readonly reader: RangeReader;
  private readonly texts: TextSearch;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly layout: CollectionLayout,
    private readonly tally: Tally,
    /** Whether a transaction is open around every call, so that all statements of one see one state. */
    private readonly withinTransaction: boolean,
  ) {
    this.reader = new RangeReader(connection, tally);
    this.texts = new TextSearch(connection, layout, tally);
  }

  find(filter: Filter<StoredDocument>, options: FindOptions): Record<string, unknown>[] {
    const asked = filterBranches(filter, this.layout.scalarPaths);
    const sort = Object.entries(options.sort ?? {});
    const limit = options.limit === undefined || options.limit === 0 ? Number.POSITIVE_INFINITY : options.limit;
    const wish: Wish = { sort, limit, projection: options.projection };
    const found = asked.search === null ? this.findInRanges(filter, asked, wish) : this.findText(asked, wish);
    this.tally.returned += found.length;
    return found;
  }

  count(filter: Filter<StoredDocument>): number {
    if (Object.keys(filter).length === 0) return this.countAll();
    const asked = filterBranches(filter, this.layout.scalarPaths);
    const plan = asked.search === null ? planFilter(this.layout, filter, asked, [], Number.POSITIVE_INFINITY) : null;
    if (plan?.residual !== null || !plan.disjoint) return this.find(filter, { projection: { _id: 1 } }).length;
    const count = this.reader.count(plan);
    this.tally.returned += count;
    return count;
  }

  /** The documents themselves with their row keys, for writing. */
  matches(filter: Filter<StoredDocument>, limit: number): StoredRow[] {
    const asked = filterBranches(filter, this.layout.scalarPaths);
    if (asked.search !== null) throw new TypeError('$text finds documents to read, not to write');
    const plan = planFilter(this.layout, filter, asked, [], limit);
    const rows = this.reader.rows(plan, [], ['t.doc'], chunkFor(plan, limit));
    const found: StoredRow[] = [];
    for (const { row } of satisfying(rows, plan)) {
      found.push({ k: Number(row[0]), json: String(row[1]) });
      if (found.length >= limit) break;
    }
    this.tally.returned += found.length;
    return found;
  }

  /** Ascending, of the documents that ranges alone tell; null where documents have to be looked at, too. */
  rowKeys(filter: Filter<StoredDocument>): number[] | null {
    const asked = filterBranches(filter, this.layout.scalarPaths);
    if (asked.search !== null) return null;
    const plan = planFilter(this.layout, filter, asked, [], Number.POSITIVE_INFINITY);
    if (plan.residual !== null) return null;
    const ks = new Set<number>();
    for (const [k] of this.reader.rows(plan, [], [], Number.POSITIVE_INFINITY)) ks.add(Number(k));
    this.tally.returned += ks.size;
    return [...ks].sort((a, b) => a - b);
  }

  /** One document without a plan. */
  byId(writer: DocumentWriter, id: DocumentId): StoredRow | undefined {
    const row = writer.find(id) ?? undefined;
    this.tally.examined += row ? 1 : 0;
    this.tally.returned += row ? 1 : 0;
    return row;
  }

  private findInRanges(filter: Filter<StoredDocument>, asked: FilterBranches, wish: Wish): Record<string, unknown>[] {
    const plan = planFilter(this.layout, filter, asked, wish.sort, wish.limit);
    const oneStatement = plan.residual === null && plan.ranges.length <= 1;
    return this.inSnapshot(oneStatement, () => {
      if (plan.order === 'memory') {
        const rows = this.reader.rows(plan, wish.sort, ['t.doc'], Number.POSITIVE_INFINITY);
        return sortedInMemory(satisfying(rows, plan), wish);
      }
      const columns = plan.residual === null ? columnShape(this.layout, wish.projection) : null;
      const rows = this.reader.rows(plan, wish.sort, columns?.select ?? ['t.doc'], chunkFor(plan, wish.limit));
      return taken(satisfying(rows, plan), wish.limit, columns ? columns.read : projected(wish.projection));
    });
  }

  private findText(asked: FilterBranches, wish: Wish): Record<string, unknown>[] {
    const { search, branches } = asked;
    return this.inSnapshot(false, () => {
      const residual = Object.keys(asked.residual).length === 0 ? null : asked.residual;
      const wanted = chunkFor({ residual, disjoint: true }, wish.limit);
      const { rows, sorted, isExact } = this.texts.rows(search ?? '', branches, wish.sort, wanted);
      const found = satisfying(rows, { residual: isExact ? null : residual, disjoint: true });
      return sorted ? taken(found, wish.limit, projected(wish.projection)) : sortedInMemory(found, wish);
    });
  }

  private countAll(): number {
    const [count] = this.connection.prepare(`SELECT count(*) FROM ${this.layout.table}`).get() ?? [0];
    this.tally.examined += Number(count);
    this.tally.returned += Number(count);
    return Number(count);
  }

  private inSnapshot<T>(oneStatement: boolean, work: () => T): T {
    if (oneStatement || this.withinTransaction) return work();
    this.connection.exec('BEGIN');
    try {
      return work();
    } finally {
      this.connection.exec('COMMIT');
    }
  }
}

/** What the caller wants of the documents that satisfy the filter. */
interface Wish {
  readonly sort: SortKeys;
  readonly limit: number;
  readonly projection: FieldProjection | undefined;
}

/** What is still to be decided about the rows of a plan. */
type Undecided = Pick<Plan<IndexLayout>, 'residual' | 'disjoint'>;

interface Satisfying {
  readonly row: Row;
  readonly document: () => Record<string, unknown>;
}

function chunkFor({ residual, disjoint }: Undecided, limit: number): number {
  return residual === null && disjoint ? limit : Math.max(limit, LEAST_CHUNK);
}

function* satisfying(rows: Iterable<Row>, { residual, disjoint }: Undecided): Iterable<Satisfying> {
  const satisfies = residual && predicate(residual);
  const seen = new Set<unknown>();
  for (const row of rows) {
    if (!disjoint) {
      if (seen.has(row[0])) continue;
      seen.add(row[0]);
    }
    if (!satisfies) yield { row, document: () => parseDocument(row) };
    else {
      const document = parseDocument(row);
      if (satisfies(document)) yield { row, document: () => document };
    }
  }
}

function taken<T>(
  found: Iterable<Satisfying>,
  limit: number,
  read: (row: Row, document: Satisfying['document']) => T,
): T[] {
  const results: T[] = [];
  for (const { row, document } of found) {
    results.push(read(row, document));
    if (results.length >= limit) break;
  }
  return results;
}

function sortedInMemory(found: Iterable<Satisfying>, { sort, limit, projection }: Wish): Record<string, unknown>[] {
  const documents = Array.from(found, ({ document }) => document());
  return sortedDocuments(documents, Object.fromEntries(sort)).slice(0, limit).map(projector(projection));
}

function projected(projection: FieldProjection | undefined) {
  const project = projector(projection);
  return (_: Row, document: Satisfying['document']) => project(document());
}
