import type { Row, SqliteConnection } from '../../sqlite/driver.js';
import {
  type DocumentId,
  type Filter,
  type FindOptions,
  type StoredDocument,
  UnboundedFilter,
} from '../document-store.js';
import type { DocumentWriter, StoredRow } from './document-writer.js';
import { type Branch, filterBranches } from './filter-branches.js';
import type { CollectionLayout } from './layout.js';
import { predicate, sortedDocuments } from './mingo-query.js';
import { type Plan, planBranches, planSortedScan, type SortKeys } from './planner.js';
import { columnShape, documentShape, parseDocument, projector } from './projection.js';
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
    const { branches, search, residual } = filterBranches(filter, this.layout.scalarPaths);
    const sort = Object.entries(options.sort ?? {});
    const limit = options.limit === undefined || options.limit === 0 ? Number.POSITIVE_INFINITY : options.limit;
    const found =
      search === null
        ? this.findInRanges(this.plan(filter, branches, sort, limit), residual, sort, limit, options)
        : this.findText(search, branches, residual, sort, limit, options);
    this.tally.returned += found.length;
    return found;
  }

  count(filter: Filter<StoredDocument>): number {
    if (Object.keys(filter).length === 0) return this.countAll();
    const { branches, search } = filterBranches(filter, this.layout.scalarPaths);
    const plan = search === null ? this.plan(filter, branches, [], Number.POSITIVE_INFINITY) : null;
    if (!plan?.exact || !plan.disjoint) return this.find(filter, { projection: { _id: 1 } }).length;
    const count = this.reader.count(plan);
    this.tally.returned += count;
    return count;
  }

  /** The documents themselves with their row keys, for writing. */
  matches(filter: Filter<StoredDocument>, limit: number): StoredRow[] {
    const { branches, search, residual } = filterBranches(filter, this.layout.scalarPaths);
    if (search !== null) throw new TypeError('$text finds documents to read, not to write');
    const plan = this.plan(filter, branches, [], limit);
    const wanted = plan.exact && plan.disjoint ? limit : Math.max(limit, LEAST_CHUNK);
    const found: StoredRow[] = [];
    const rows = this.reader.rows(plan, [], ['t.doc'], wanted);
    for (const { row } of this.satisfying(rows, plan.exact ? null : residual, !plan.disjoint)) {
      found.push({ k: Number(row[0]), json: String(row[1]) });
      if (found.length >= limit) break;
    }
    this.tally.returned += found.length;
    return found;
  }

  /** One document without a plan. */
  byId(writer: DocumentWriter, id: DocumentId): StoredRow | undefined {
    const row = writer.find(id) ?? undefined;
    this.tally.examined += row ? 1 : 0;
    this.tally.returned += row ? 1 : 0;
    return row;
  }

  private plan(filter: object, branches: readonly Branch[], sort: SortKeys, limit: number): Plan {
    const unbounded = Object.keys(filter).length === 0;
    const plan = unbounded
      ? sort.length > 0 && Number.isFinite(limit)
        ? planSortedScan(this.layout, sort)
        : null
      : planBranches(this.layout, branches, sort);
    if (!plan) throw new UnboundedFilter(this.layout.collection, filter);
    return plan;
  }

  private findInRanges(
    plan: Plan,
    residual: object,
    sort: SortKeys,
    limit: number,
    options: FindOptions,
  ): Record<string, unknown>[] {
    const single = plan.exact && plan.ranges.length <= 1;
    return this.inSnapshot(!single, () => {
      const inMemory = plan.order === 'memory';
      const wanted = inMemory ? Number.POSITIVE_INFINITY : plan.exact ? limit : Math.max(limit, LEAST_CHUNK);
      const columns = plan.exact && !inMemory ? columnShape(this.layout, options.projection) : null;
      const shape = columns ?? documentShape(options.projection);
      const rows = this.reader.rows(plan, sort, inMemory ? ['t.doc'] : shape.select, wanted);
      return this.collect(
        rows,
        plan.exact ? null : residual,
        !plan.disjoint,
        inMemory ? sort : [],
        limit,
        options,
        columns,
      );
    });
  }

  private findText(
    search: string,
    branches: readonly Branch[],
    residual: object,
    sort: SortKeys,
    limit: number,
    options: FindOptions,
  ): Record<string, unknown>[] {
    return this.inSnapshot(true, () => {
      const exact = Object.keys(residual).length === 0;
      const { rows, sorted } = this.texts.rows(search, branches, sort, exact ? limit : Math.max(limit, LEAST_CHUNK));
      return this.collect(rows, exact ? null : residual, false, sorted ? [] : sort, limit, options, null);
    });
  }

  private collect(
    rows: Iterable<Row>,
    residual: object | null,
    distinct: boolean,
    sort: SortKeys,
    limit: number,
    options: FindOptions,
    columns: ReturnType<typeof columnShape>,
  ): Record<string, unknown>[] {
    const found: Record<string, unknown>[] = [];
    const project = projector(options.projection);
    const inMemory = sort.length > 0;
    for (const { row, document } of this.satisfying(rows, residual, distinct)) {
      found.push(columns ? columns.read(row) : inMemory ? document() : project(document()));
      if (!inMemory && found.length >= limit) break;
    }
    if (!inMemory) return found;
    return sortedDocuments(found, Object.fromEntries(sort)).slice(0, limit).map(project);
  }

  private *satisfying(
    rows: Iterable<Row>,
    residual: object | null,
    distinct: boolean,
  ): Iterable<{ row: Row; document: () => Record<string, unknown> }> {
    const satisfies = residual && predicate(residual);
    const seen = new Set<unknown>();
    for (const row of rows) {
      if (distinct) {
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

  private countAll(): number {
    const [count] = this.connection.prepare(`SELECT count(*) FROM ${this.layout.table}`).get() ?? [0];
    this.tally.examined += Number(count);
    this.tally.returned += Number(count);
    return Number(count);
  }

  private inSnapshot<T>(needed: boolean, work: () => T): T {
    if (!needed || this.withinTransaction) return work();
    this.connection.exec('BEGIN');
    try {
      return work();
    } finally {
      this.connection.exec('COMMIT');
    }
  }
}
