import { Mutex } from '../kernel/mutex.js';
import type { DocumentDatabase, StoredDocument } from './document-store.js';

/** Gathers documents this long before a write: a thousand that come together cost one write. */
const GATHER_MS = 1000;
const MOST_AT_ONCE = 500;

interface GatheredWritesOptions {
  readonly database: DocumentDatabase;
  readonly collection: string;
  readonly onFailure: (error: unknown) => void;
}

/** Writes documents soon after they are put. For documents that are safe to lose: each replaces what is stored by its id. */
export class GatheredWrites<D extends StoredDocument> {
  private readonly waiting = new Map<D['_id'], D>();
  private timer: NodeJS.Timeout | null = null;
  private readonly writing = new Mutex();

  constructor(private readonly options: GatheredWritesOptions) {}

  /** The documents that are not stored yet. */
  get unwritten(): Iterable<D> {
    return this.waiting.values();
  }

  put(document: D): void {
    this.waiting.set(document._id, document);
    this.timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref();
  }

  drop(id: D['_id']): void {
    this.waiting.delete(id);
  }

  /** Resolves when the gathered documents are stored, or have failed. */
  flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    return this.writing.run(() => this.write()).catch(this.options.onFailure);
  }

  private async write(): Promise<void> {
    const { database, collection } = this.options;
    while (this.waiting.size > 0) {
      const documents = [...this.waiting.values()].slice(0, MOST_AT_ONCE);
      for (const { _id } of documents) this.waiting.delete(_id);
      const operations = documents.map((replacement) => ({
        replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
      }));
      await database.transaction(async (transaction) => {
        await transaction.collection<D>(collection).bulkWrite(operations);
      });
    }
  }
}
