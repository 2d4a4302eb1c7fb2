import type { DocumentId, StoredDocument } from '../../src/platform/documents/document-store.js';
import type { RememberedIds } from './remembered-ids.js';
import { sizeOfDocument, type WriteSize } from './write-size.js';

/** Greatest number of text ids of a collection that are remembered, to know that no other text id exists. */
const MOST_TEXTS = 100_000;

/** One document of so many is measured, and stands for all of them. */
const MEASURED = 8;

/** Documents of a collection that are known without a query. */
export class KnownCollection {
  /** Documents read by id, as they are now; null: missing. */
  private recent = new Map<DocumentId, StoredDocument | null>();
  /** Documents read earlier, and not asked for since. */
  private earlier = new Map<DocumentId, StoredDocument | null>();
  /** Documents that became known since the last eviction. */
  private added = 0;
  /** Estimated bytes of `recent`. */
  private bytes = 0;
  /** No document has a higher number as its id. */
  private highest: number;
  /** All text ids; null if unknown. */
  private texts: Set<string> | null;
  /** Hears of all text ids, too. */
  remembered: Pick<RememberedIds, 'expect'> | null = null;

  constructor(isEmpty: boolean) {
    this.highest = isEmpty ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    this.texts = isEmpty ? new Set() : null;
  }

  /** @returns null for a missing document, undefined for an unknown one */
  get(id: DocumentId): StoredDocument | null | undefined {
    const recent = this.recent.get(id);
    if (recent !== undefined) return recent;
    const earlier = this.earlier.get(id);
    if (earlier !== undefined) this.set(id, earlier);
    return earlier;
  }

  set(id: DocumentId, document: StoredDocument | null): void {
    this.recent.set(id, document);
    if (document && this.added++ % MEASURED === 0) this.bytes += MEASURED * sizeOfDocument(document);
  }

  forget(id: DocumentId): void {
    this.recent.delete(id);
    this.earlier.delete(id);
  }

  /** Tells whether the document is certainly missing. */
  lacks(id: DocumentId): boolean {
    if (this.get(id) === null) return true;
    return typeof id === 'number' ? id > this.highest : this.texts !== null && !this.texts.has(id);
  }

  /** Records that a document may exist from now on. */
  expect(id: DocumentId): void {
    if (typeof id === 'number') this.highest = Math.max(this.highest, id);
    else {
      this.remembered?.expect(id);
      if (this.texts && this.texts.add(id).size > MOST_TEXTS) this.texts = null;
    }
  }

  clear(): void {
    this.recent.clear();
    this.earlier.clear();
  }

  /** Forgets documents that were not asked for while more than `most` others were. */
  evict(most: WriteSize): void {
    if (this.recent.size <= most.documents && this.bytes <= most.bytes) return;
    this.earlier = this.recent;
    this.recent = new Map();
    this.added = 0;
    this.bytes = 0;
  }
}

/**
 * Known documents of a database. They stay known after a batch, because nothing else writes these collections. After a
 * batch that was not committed, clear them.
 */
export class ReadDocuments {
  private readonly byCollection = new Map<string, KnownCollection>();
  private readonly isEmpty: boolean;

  /** @param isEmpty the database is empty */
  constructor({ isEmpty = false } = {}) {
    this.isEmpty = isEmpty;
  }

  in(collection: string): KnownCollection {
    let known = this.byCollection.get(collection);
    if (!known) {
      known = new KnownCollection(this.isEmpty);
      this.byCollection.set(collection, known);
    }
    return known;
  }

  clear(): void {
    for (const known of this.byCollection.values()) known.clear();
  }

  /** Call between batches: of each collection `most` to twice as many documents stay, the ones asked for last. */
  evict(most: WriteSize): void {
    for (const known of this.byCollection.values()) known.evict(most);
  }
}
