import {
  type Collection,
  DocumentsUnusable,
  type Filter,
  type FindOptions,
  type StoredDocument,
  type WriteResult,
} from '../../src/document-store/document-store.js';
import { UnavailableError } from '../../src/kernel/domain-error.js';
import type { Generation } from './generation.js';

/** Of which documents are live. */
export interface Knowledge {
  isKnown(): boolean;
  /** Looks it up now, unless that is in vain; rejects with nothing: afterwards it is known or not. */
  lookUp(): Promise<void>;
}

/**
 * A projection's collection as queries see it: each call goes to the generation that is live at that moment, and a
 * generation is not removed while a call is in it. Only the projection writes.
 */
export class LiveCollection<D extends StoredDocument> implements Collection<D> {
  constructor(
    private readonly name: string,
    /** @throws UnavailableError where there is nothing to read */
    private readonly live: () => Generation,
    private readonly known: Knowledge,
    private readonly unusable: (generation: Generation, error: DocumentsUnusable) => void,
  ) {}

  findOne(filter: Filter<D>, options?: Omit<FindOptions, 'limit'>): Promise<D | null> {
    return this.read((collection) => collection.findOne(filter, options));
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

  private async read<T>(query: (collection: Collection<D>) => Promise<T>): Promise<T> {
    if (!this.known.isKnown()) await this.known.lookUp();
    const generation = this.live();
    try {
      const found = await generation.reading(() => query(generation.database.collection<D>(this.name)));
      // What may have been removed while it was read is no answer.
      if (!this.known.isKnown()) {
        await this.known.lookUp();
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
