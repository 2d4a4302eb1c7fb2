import type { ClientSession, Collection as NativeCollection, FindOptions as NativeFindOptions } from 'mongodb';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { readAll } from '../../mongodb/read-all.js';
import type { DocumentId, FieldProjection, Filter, FindOptions, StoredDocument } from '../document-store.js';
import { filterBranches } from '../filter-branches.js';
import { hinted } from '../hinted.js';
import { planFilter } from '../planner.js';
import type { CollectionLayout } from './layout.js';
import { withMergedValues } from './merged-values.js';
import type { Tally } from './tally.js';
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
    if (onlyId(filter) !== null) return { ...filter };
    if ('$text' in filter) throw new TypeError('$text finds documents to read, not to write');
    return this.match(filter, {});
  }

  private match(filter: Filter<StoredDocument>, { sort, limit, hint }: FindOptions): Fields | null {
    if (!hint && onlyId(filter) !== null) return { ...filter };
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

/** The `_id` of a filter without any other condition. */
export function onlyId(filter: Filter<StoredDocument>): DocumentId | null {
  const id = filter._id;
  return (typeof id === 'string' || typeof id === 'number') && Object.keys(filter).length === 1 ? id : null;
}
