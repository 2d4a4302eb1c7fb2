import type { Row, SqliteConnection } from '../../sqlite/driver.js';
import {
  type DocumentId,
  type FieldProjection,
  type Filter,
  type FindOptions,
  type Sort,
  type StoredDocument,
} from '../document-store.js';
import { type FilterBranches, filterBranches } from '../filter-branches.js';
import { onlyId } from '../only-ids.js';
import { type Plan, planFilter, type SortKeys } from '../planner.js';
import type { DocumentWriter, StoredRow } from './document-writer.js';
import { hintedLayout } from './hinted-layout.js';
import type { CollectionLayout, IndexLayout } from './layout.js';
import { columnShape, keyShape, parseDocument, predicate, projector, sortedDocuments } from './projection.js';
import { RangeReader, type Tally } from './range-reader.js';
import { createMissed } from './schema.js';
import { canBeId, idCondition } from './side-rows.js';
import { exactly } from './text-index.js';
import { TextSearch } from './text-search.js';

/** At least so many documents are read at once if mingo may refuse some of them. */
const LEAST_CHUNK = 32;

/** Answers filters from one connection. */
export class DocumentQuery {
  private readonly reader: RangeReader;
  private readonly texts: TextSearch;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly layout: CollectionLayout,
    private readonly tally: Tally,
    /** A transaction is open around every call: all statements of a call see one state. */
    private readonly withinTransaction: boolean,
  ) {
    // Outside of a transaction, the database creates it.
    const create = (error: unknown): boolean => withinTransaction && createMissed(connection, layout, error);
    this.reader = new RangeReader(connection, tally, create);
    this.texts = new TextSearch(connection, layout, tally);
  }

  find(filter: Filter<StoredDocument>, given: FindOptions): Record<string, unknown>[] {
    const { sort = {}, skip = 0, limit = 0, projection, hint } = given;
    const id = onlyId(filter);
    if (id !== undefined && canBeId(id) && skip === 0 && hint === undefined) return this.findById(id, projection);
    const asked = filterBranches(filter, this.layout.scalarPaths);
    const wanted = limit === 0 ? Number.POSITIVE_INFINITY : limit;
    const options = { sort: Object.entries(sort), skip, limit: wanted, projection, hint };
    const found = asked.search === null ? this.findInRanges(filter, asked, options) : this.findText(asked, options);
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

  /** Documents with their row keys, for writing. */
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

  /** Row keys, ascending; null if the ranges alone do not decide and documents have to be looked at. */
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

  /** Reads one document without a plan. */
  byId(writer: DocumentWriter, id: DocumentId): StoredRow | undefined {
    const row = writer.find(id) ?? undefined;
    this.tally.examined += row ? 1 : 0;
    this.tally.returned += row ? 1 : 0;
    return row;
  }

  private findById(id: DocumentId, projection: FieldProjection | undefined): Record<string, unknown>[] {
    const [where, value] = idCondition(id);
    const row = this.connection.prepare(`SELECT k, doc FROM ${this.layout.table} WHERE ${where}`).get(value);
    if (!row) return [];
    this.tally.examined++;
    this.tally.returned++;
    return [projector(projection)(parseDocument(row))];
  }

  private findInRanges(
    filter: Filter<StoredDocument>,
    asked: FilterBranches,
    options: QueryOptions,
  ): Record<string, unknown>[] {
    const layout = options.hint ? hintedLayout(this.layout, options.hint, asked) : this.layout;
    const plan = planFilter(layout, filter, asked, options.sort, options.limit);
    const oneStatement = plan.residual === null && plan.ranges.length <= 1;
    return this.inSnapshot(oneStatement, () => {
      if (plan.order === 'memory') {
        const rows = this.reader.rows(plan, options.sort, ['t.doc'], Number.POSITIVE_INFINITY);
        return sortedInMemory(satisfying(rows, plan), options);
      }
      if (oneStatement) return this.findInOneRange(plan, options);
      const columns = plan.residual === null ? columnShape(this.layout, options.projection) : null;
      const select = columns?.select ?? ['t.doc'];
      const read = columns ? columns.read : projected(options.projection);
      const rows = this.reader.rows(plan, options.sort, select, chunkFor(plan, options.skip + options.limit));
      return taken(satisfying(rows, plan), options, read);
    });
  }

  private findInOneRange(plan: Plan<IndexLayout>, options: QueryOptions): Record<string, unknown>[] {
    const { projection, skip, limit } = options;
    const keys = keyShape(plan, projection);
    const columns = keys ?? columnShape(this.layout, projection);
    const rows = this.reader.rowsBehind(skip, keys?.plan ?? plan, columns?.select ?? ['t.doc'], limit);
    const read = columns ? columns.read : projected(projection);
    return taken(satisfying(rows, plan), { skip: 0, limit }, read);
  }

  private findText(asked: FilterBranches, options: QueryOptions): Record<string, unknown>[] {
    const { search, branches } = asked;
    if (search === null) return [];
    return this.inSnapshot(false, () => {
      const residual = Object.keys(asked.residual).length === 0 ? null : asked.residual;
      const hasWords = exactly(search, this.layout);
      const isDecided = residual === null && hasWords === null;
      const least = isDecided ? 0 : LEAST_CHUNK;
      const wanted = Math.max(options.skip + options.limit, least);
      const { rows, sorted, isExact } = this.texts.rows(search, branches, options.sort, wanted);
      const found = satisfying(rows, { residual: isExact ? null : residual, disjoint: true }, hasWords);
      return sorted ? taken(found, options, projected(options.projection)) : sortedInMemory(found, options);
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

interface QueryOptions {
  readonly sort: SortKeys;
  readonly skip: number;
  readonly limit: number;
  readonly projection: FieldProjection | undefined;
  readonly hint: Sort | undefined;
}

/** Properties of a plan that decide which of its rows satisfy the filter. */
type Undecided = Pick<Plan<IndexLayout>, 'residual' | 'disjoint'>;

interface Satisfying {
  readonly row: Row;
  readonly document: () => Record<string, unknown>;
}

function chunkFor({ residual, disjoint }: Undecided, limit: number): number {
  return residual === null && disjoint ? limit : Math.max(limit, LEAST_CHUNK);
}

function* satisfying(
  rows: Iterable<Row>,
  { residual, disjoint }: Undecided,
  hasWords: ((document: object) => boolean) | null = null,
): Iterable<Satisfying> {
  const meets = residual && predicate(residual);
  const satisfies =
    meets || hasWords
      ? (document: Record<string, unknown>) => (meets?.(document) ?? true) && (hasWords?.(document) ?? true)
      : null;
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
  { skip, limit }: Pick<QueryOptions, 'skip' | 'limit'>,
  read: (row: Row, document: Satisfying['document']) => T,
): T[] {
  const results: T[] = [];
  let left = skip;
  for (const { row, document } of found) {
    if (left-- > 0) continue;
    results.push(read(row, document));
    if (results.length >= limit) break;
  }
  return results;
}

function sortedInMemory(
  found: Iterable<Satisfying>,
  { sort, skip, limit, projection }: QueryOptions,
): Record<string, unknown>[] {
  const documents = Array.from(found, ({ document }) => document());
  return sortedDocuments(documents, Object.fromEntries(sort))
    .slice(skip, skip + limit)
    .map(projector(projection));
}

function projected(projection: FieldProjection | undefined) {
  const project = projector(projection);
  return (_: Row, document: Satisfying['document']) => project(document());
}
