import type { DocumentId, StoredDocument } from '../../src/document-store/document-store.js';

/** Of so many ids that are texts it is remembered, for each collection, that there are no others. */
const MOST_TEXTS = 100_000;

/** What is known of one collection without asking for it. */
export class KnownCollection {
  /** Documents that were read by id, as they are now; null: there is none. */
  private recent = new Map<DocumentId, StoredDocument | null>();
  /** Those of before, where nobody has asked for them since. */
  private earlier = new Map<DocumentId, StoredDocument | null>();
  /** No document has a number above it for an id. */
  private highest: number;
  /** No document has another text for an id; null: it may have any. */
  private texts: Set<string> | null;

  constructor(isEmpty: boolean) {
    this.highest = isEmpty ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    this.texts = isEmpty ? new Set() : null;
  }

  /** undefined: that is not known. */
  get(id: DocumentId): StoredDocument | null | undefined {
    const recent = this.recent.get(id);
    if (recent !== undefined) return recent;
    const earlier = this.earlier.get(id);
    if (earlier !== undefined) this.recent.set(id, earlier);
    return earlier;
  }

  set(id: DocumentId, document: StoredDocument | null): void {
    this.recent.set(id, document);
  }

  forget(id: DocumentId): void {
    this.recent.delete(id);
    this.earlier.delete(id);
  }

  /** For certain; false says nothing. */
  lacks(id: DocumentId): boolean {
    if (this.get(id) === null) return true;
    return typeof id === 'number' ? id > this.highest : this.texts !== null && !this.texts.has(id);
  }

  /** A document may be there from now on. */
  expect(id: DocumentId): void {
    if (typeof id === 'number') this.highest = Math.max(this.highest, id);
    else if (this.texts && this.texts.add(id).size > MOST_TEXTS) this.texts = null;
  }

  /** Any document may. */
  expectAny(): void {
    this.highest = Number.POSITIVE_INFINITY;
    this.texts = null;
  }

  clear(): void {
    this.recent.clear();
    this.earlier.clear();
  }

  /** Forgets what has not been asked for since so many others were. */
  keep(most: number): void {
    if (this.recent.size <= most) return;
    this.earlier = this.recent;
    this.recent = new Map();
  }
}

/**
 * What is known of a database's documents. It outlives a batch, since nobody else writes these collections; after a
 * batch that was not committed it must be cleared.
 */
export class ReadDocuments {
  private readonly byCollection = new Map<string, KnownCollection>();
  private readonly isEmpty: boolean;

  /** @param isEmpty nothing is in the database */
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

  /** Between two batches: of each collection, at least so many of those that were asked for last stay, and twice as many at most. */
  keep(most: number): void {
    for (const known of this.byCollection.values()) known.keep(most);
  }
}
