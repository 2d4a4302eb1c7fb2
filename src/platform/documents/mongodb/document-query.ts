import type { ClientSession, Collection as NativeCollection, FindOptions as NativeFindOptions } from 'mongodb';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { readAll } from '../../mongodb/read-all.js';
import type { DocumentId, FieldProjection, Filter, FindOptions, StoredDocument } from '../document-store.js';
import { filterBranches } from '../filter-branches.js';
import { onlyId } from '../only-ids.js';
import { planFilter } from '../planner.js';
import { hinted } from '../stored-index.js';
import type { CollectionLayout } from './layout.js';
import { SEARCH_FIELD, searchFilter, searchWithin } from './text-fields.js';

export type Fields = Record<string, unknown>;
export type Native = NativeCollection<{ _id: DocumentId; [field: string]: unknown }>;

/** Answers filters that an index bounds. */
export class DocumentQuery {
  constructor(
    private readonly connection: MongoConnection,
    private readonly native: Native,
    private readonly layout: CollectionLayout,
    private readonly tally: Tally,
    /** The session of the transaction that it reads in. */
    private readonly session: ClientSession | undefined,
  ) {}

  async find(filter: Filter<StoredDocument>, options: FindOptions): Promise<Fields[]> {
    const match = this.match(filter, options);
    if (match === null) return [];
    const native = this.findOptions(options);
    const found = await readAll(this.connection, this.native.find(match, native));
    this.tally.returned += found.length;
    await this.examine(match, native);
    return found;
  }

  async count(filter: Filter<StoredDocument>): Promise<number> {
    const match = Object.keys(filter).length === 0 ? {} : this.match(filter, {});
    if (match === null) return 0;
    const count = await this.connection.call(() => this.native.countDocuments(match, this.inSession()));
    this.tally.returned += count;
    await this.examine(match, { projection: { _id: 1 } });
    return count;
  }

  /** MongoDB's filter for the documents to write. @returns null if no document can satisfy the filter */
  target(filter: Filter<StoredDocument>): Fields | null {
    if (onlyId(filter) !== undefined) return { ...filter };
    if ('$text' in filter) throw new TypeError('$text finds documents to read, not to write');
    return this.match(filter, {});
  }

  private match(filter: Filter<StoredDocument>, { sort, limit, hint }: FindOptions): Fields | null {
    if (!hint && onlyId(filter) !== undefined) return { ...filter };
    const asked = filterBranches(filter, this.layout.scalarPaths);
    if (asked.search === null) {
      const wanted = limit === undefined || limit === 0 ? Number.POSITIVE_INFINITY : limit;
      const plan = planFilter(hinted(this.layout, hint), filter, asked, Object.entries(sort ?? {}), wanted);
      if (plan.ranges.length === 0) return null;
      return plan.order === 'index' ? { ...withMergedValues(filter) } : { ...filter };
    }
    if (this.layout.text.length === 0) throw new Error(`${this.layout.collection} has no text fields to search`);
    const words = searchFilter(asked.search);
    if (words === null || asked.branches.length === 0) return null;
    return searchWithin(words, asked, this.layout);
  }

  private findOptions({ sort, skip, limit, projection, hint }: FindOptions): NativeFindOptions {
    return {
      ...this.inSession(),
      ...(sort ? { sort: new Map(Object.entries(sort)), allowDiskUse: true } : {}),
      ...(skip === undefined ? {} : { skip }),
      ...(limit === undefined ? {} : { limit }),
      ...(hint === undefined ? {} : { hint }),
      ...this.projection(projection),
    };
  }

  /** The field of search terms never leaves the server. */
  private projection(projection: FieldProjection = {}): NativeFindOptions {
    if (this.layout.text.length === 0 || Object.values(projection).includes(1)) return { projection };
    return { projection: { ...projection, [SEARCH_FIELD]: 0 } };
  }

  private inSession(): { session?: ClientSession } {
    return this.session ? { session: this.session } : {};
  }

  private async examine(match: Fields, options: NativeFindOptions): Promise<void> {
    // MongoDB explains no query in a transaction.
    if (!this.tally.explains || this.session) return;
    const explained = await this.connection.call(() => this.native.find(match, options).explain('executionStats'));
    const { totalDocsExamined, nReturned } = explained.executionStats as Record<string, number>;
    this.tally.examined += Math.max(Number(totalDocsExamined), Number(nReturned));
  }
}

/** Numbers of documents that queries looked at, as the server explains them, and returned. */
export interface Tally {
  examined: number;
  returned: number;
  /** Every query is explained besides, which costs as much as the query. */
  readonly explains: boolean;
}

type Conditions = Readonly<Record<string, unknown>>;

/** MongoDB merges the index ranges of at most so many values of an `$in`; with more, it sorts all documents found. */
const MERGED_BY_ITSELF = 200;

/**
 * The same filter, with a long `$in` as branches of an `$or` at the top. MongoDB merges any number of branches in the
 * order of an index, so that a limit ends the search.
 */
export function withMergedValues(filter: Conditions, mergedByItself = MERGED_BY_ITSELF): Conditions {
  const { $or, ...rest } = filter;
  const given = Array.isArray($or) ? ($or as Conditions[]) : [rest];
  const others = Array.isArray($or) ? rest : {};
  const listed = given.map(longestList);
  if (listed.every((list) => list === null || list.values.length <= mergedByItself)) return filter;
  const branches = given.flatMap((branch, at) => {
    const list = listed[at];
    if (!list) return [branch];
    return list.values.map((value): Conditions => ({ ...branch, [list.path]: { $eq: value } }));
  });
  const isAlone = Object.keys(others).length === 0;
  return { $or: isAlone ? branches : branches.map((branch) => ({ $and: [branch, others] })) };
}

function longestList(branch: Conditions): { readonly path: string; readonly values: readonly unknown[] } | null {
  const lists = Object.entries(branch).flatMap(([path, condition]) => {
    if (path.startsWith('$') || typeof condition !== 'object' || condition === null) return [];
    const { $in, ...more } = condition as { $in?: unknown };
    return Array.isArray($in) && Object.keys(more).length === 0 ? [{ path, values: $in as unknown[] }] : [];
  });
  return lists.sort((a, b) => b.values.length - a.values.length)[0] ?? null;
}
