import { setTimeout as pause } from 'node:timers/promises';
import type { Collection, StoredDocument } from '../../src/platform/documents/document-store.js';
import { IdFilter } from '../../src/platform/kernel/id-filter.js';

/** Ids read at once, in about a millisecond. */
const SLICE = 500;
/** Milliseconds between two slices: others have the thread for longer than the slices take. */
const PAUSE_MS = 2;

/**
 * The text ids of a collection, in a filter: most look-ups of an id that is missing need no query. It knows of documents
 * that were there when the first one was expected, once it has read their ids, and of all that are expected.
 */
export class RememberedIds {
  private readonly filter = new IdFilter();
  private isComplete = false;
  private reading: Promise<void> | null = null;
  /** All ids up to this one are read. */
  private last: string | null = null;

  /** @param read runs a query on the collection */
  constructor(
    private readonly read: <T>(query: (collection: Collection<StoredDocument>) => Promise<T>) => Promise<T>,
  ) {}

  /** Records that a document may exist from now on. Call before it is stored. */
  expect(id: string): void {
    this.filter.add(id);
  }

  /** Tells whether the document is certainly missing. The first call begins to read the stored ids. */
  lacks(id: string): boolean {
    if (this.isComplete) return !this.filter.mayHave(id);
    this.reading ??= this.readAll()
      // The query that this look-up makes now has the same failure. The next look-up lets the reading go on.
      .catch(() => {})
      .finally(() => (this.reading = null));
    return false;
  }

  private async readAll(): Promise<void> {
    for (let isMore = true; isMore; ) {
      await pause(PAUSE_MS, undefined, { ref: false });
      isMore = await this.readSlice();
    }
    this.isComplete = true;
  }

  private async readSlice(): Promise<boolean> {
    const after = this.last === null ? { $gte: '' } : { $gt: this.last };
    const options = { sort: { _id: 1 }, limit: SLICE, projection: { _id: 1 } } as const;
    const found = await this.read((collection) => collection.find({ _id: after }, options));
    for (const { _id } of found) {
      this.last = String(_id);
      this.filter.add(this.last);
    }
    return found.length === SLICE;
  }
}
