import {
  type Collection,
  DocumentsUnusable,
  type Filter,
  type FindOptions,
  type StoredDocument,
  type WriteResult,
} from '../../src/platform/documents/document-store.js';
import { onlyId } from '../../src/platform/documents/only-ids.js';
import { UnavailableError } from '../../src/platform/kernel/outcome-errors.js';
import type { Generation } from './generation.js';

/** Tells whether the live documents are known. */
export interface Freshness {
  isFresh(): boolean;
  /** Reads the registry now, unless that is in vain. Never rejects: ask `isFresh` afterwards. */
  refresh(): Promise<void>;
  /** The error with which the last read of the registry failed; undefined if it did not. */
  failure(): unknown;
}

/**
 * A projection's collection as queries see it. Each call goes to the generation that is live at that moment, which is
 * not removed during the call. Queries cannot write.
 */
export class LiveCollection<D extends StoredDocument> implements Collection<D> {
  constructor(
    private readonly name: string,
    /** @throws UnavailableError if there is no live generation */
    private readonly live: () => Generation,
    private readonly freshness: Freshness,
    /** Resolves when the documents have what was answered ahead of them; null: they have it. */
    private readonly caughtUp: () => Promise<void> | null,
    private readonly unusable: (generation: Generation, error: DocumentsUnusable) => void,
  ) {}

  findOne(filter: Filter<D>, options?: Omit<FindOptions, 'limit'>): Promise<D | null> {
    const id = onlyId(filter);
    return this.read((collection, generation) => {
      if (id !== undefined && generation.lacks(this.name, id)) return Promise.resolve(null);
      return collection.findOne(filter, options);
    });
  }

  find(filter: Filter<D>, options?: FindOptions): Promise<D[]> {
    return this.read((collection) => collection.find(filter, options));
  }

  countDocuments(filter: Filter<D>): Promise<number> {
    return this.read((collection) => collection.countDocuments(filter));
  }

  insertOne(): Promise<WriteResult> {
    return this.refuse();
  }

  replaceOne(): Promise<WriteResult> {
    return this.refuse();
  }

  updateOne(): Promise<WriteResult> {
    return this.refuse();
  }

  updateMany(): Promise<WriteResult> {
    return this.refuse();
  }

  deleteOne(): Promise<WriteResult> {
    return this.refuse();
  }

  deleteMany(): Promise<WriteResult> {
    return this.refuse();
  }

  bulkWrite(): Promise<WriteResult> {
    return this.refuse();
  }

  private async read<T>(query: (collection: Collection<D>, generation: Generation) => Promise<T>): Promise<T> {
    await this.caughtUp();
    if (!this.freshness.isFresh()) await this.freshness.refresh();
    const generation = this.live();
    try {
      const found = await generation.reading(() => query(generation.database.collection<D>(this.name), generation));
      // A generation that may have been removed during the read gives no answer.
      if (!this.freshness.isFresh()) {
        await this.freshness.refresh();
        if (this.live() !== generation) throw new UnavailableError(`the documents of ${this.name} were replaced`);
      }
      return found;
    } catch (error) {
      if (error instanceof DocumentsUnusable) this.unusable(generation, error);
      throw error;
    }
  }

  private async refuse(): Promise<never> {
    throw new TypeError(`${this.name} is written by its projection only`);
  }
}
