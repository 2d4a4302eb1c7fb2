import type {
  BulkOperation,
  Collection,
  CollectionSpec,
  CollectionWrites,
  DocumentId,
  DocumentTransaction,
  Filter,
  FindOptions,
  StoredDocument,
} from '../../src/document-store/document-store.js';
import type { Change, OwnDocuments } from '../projection.js';

type Reads<D extends StoredDocument> = Pick<Collection<D>, 'findOne' | 'find' | 'countDocuments'>;

/**
 * Documents that were read by id, as they are now; null: there is none. It outlives a batch, since nobody else writes
 * these collections; after a batch that was not committed it must be cleared.
 */
export class ReadDocuments {
  private readonly byCollection = new Map<string, Map<DocumentId, StoredDocument | null>>();

  in(collection: string): Map<DocumentId, StoredDocument | null> {
    let documents = this.byCollection.get(collection);
    if (!documents) {
      documents = new Map();
      this.byCollection.set(collection, documents);
    }
    return documents;
  }

  clear(): void {
    this.byCollection.clear();
  }

  /** Between two batches. */
  keepBelow(most: number): void {
    for (const documents of this.byCollection.values()) if (documents.size > most) documents.clear();
  }
}

/**
 * A batch's changes on their way into its transaction. They are written together at the end, or before a read that
 * they could change; a document that was put or read before is answered from memory. Documents given out are shared:
 * projections do not alter what they read.
 */
export class PendingChanges implements OwnDocuments {
  /** Whether anything has been written, or waits to be. */
  touched = false;
  private readonly byCollection = new Map<string, PendingCollection>();

  constructor(
    private readonly transaction: Pick<DocumentTransaction, 'collection'>,
    private readonly collections: Readonly<Record<string, CollectionSpec>>,
    private readonly read = new ReadDocuments(),
  ) {}

  add(changes: readonly Change[]): void {
    for (const change of changes) {
      this.touched = true;
      this.pending(change.collection).add(change.operation);
    }
  }

  collection<D extends StoredDocument>(name: string): Reads<D> {
    return this.pending(name) as unknown as Reads<D>;
  }

  /** What has not been written yet, for whoever writes it. */
  take(): readonly CollectionWrites[] {
    return [...this.byCollection].flatMap(([collection, pending]) => {
      const operations = pending.take();
      return operations.length > 0 ? [{ collection, operations }] : [];
    });
  }

  private pending(name: string): PendingCollection {
    let pending = this.byCollection.get(name);
    if (!pending) {
      const spec = this.collections[name];
      if (!spec) throw new Error(`the projection declares no collection ${name}`);
      pending = new PendingCollection(this.transaction.collection(name), spec, this.read.in(name));
      this.byCollection.set(name, pending);
    }
    return pending;
  }
}

class PendingCollection implements Reads<StoredDocument> {
  private operations: BulkOperation<StoredDocument>[] = [];
  /** Documents that this batch has put, by id, as of now; null: removed. */
  private readonly written = new Map<DocumentId, StoredDocument | null>();
  /** Where in `operations` a document is put, while nothing after it could tell one put from two. */
  private readonly puts = new Map<DocumentId, number>();
  /** Documents that a waiting operation changes in a way that only the store knows. */
  private readonly opaque = new Set<DocumentId>();
  private anyOpaque = false;
  /** With a unique index, which of two documents lets go of a value first matters: every put is written. */
  private readonly merges: boolean;

  constructor(
    private readonly stored: Collection<StoredDocument>,
    spec: CollectionSpec,
    private readonly read: Map<DocumentId, StoredDocument | null>,
  ) {
    this.merges = !spec.indexes?.some((index) => index.unique);
  }

  add(operation: BulkOperation<StoredDocument>): void {
    if ('replaceOne' in operation) {
      const { filter, replacement, upsert } = operation.replaceOne;
      if (upsert && onlyId(filter) === replacement._id) this.put(replacement, operation);
      else this.addOpaque(operation, onlyId(filter));
    } else if ('insertOne' in operation) {
      const { document } = operation.insertOne;
      this.operations.push(operation);
      this.know(document._id, document);
    } else if ('deleteOne' in operation) {
      const id = onlyId(operation.deleteOne.filter);
      this.addOpaque(operation, id);
      if (id !== undefined) this.know(id, null);
    } else if ('updateOne' in operation) {
      this.addOpaque(operation, onlyId(operation.updateOne.filter));
    } else {
      this.addOpaque(operation, undefined);
    }
  }

  async findOne(filter: Filter<StoredDocument>, options?: FindOptions): Promise<StoredDocument | null> {
    const id = options === undefined ? onlyId(filter) : undefined;
    if (id === undefined) {
      await this.flush();
      return this.stored.findOne(filter, options);
    }
    const written = this.written.get(id);
    if (written !== undefined) return written;
    const read = this.read.get(id);
    if (read !== undefined) return read;
    if (this.anyOpaque || this.opaque.has(id)) await this.flush();
    const document = await this.stored.findOne(filter);
    this.read.set(id, document);
    return document;
  }

  async find(filter: Filter<StoredDocument>, options?: FindOptions): Promise<StoredDocument[]> {
    await this.flush();
    return this.stored.find(filter, options);
  }

  async countDocuments(filter: Filter<StoredDocument>): Promise<number> {
    await this.flush();
    return this.stored.countDocuments(filter);
  }

  /** Whoever takes them writes them before anything else is read. */
  take(): readonly BulkOperation<StoredDocument>[] {
    const { operations } = this;
    this.operations = [];
    this.puts.clear();
    this.opaque.clear();
    this.anyOpaque = false;
    return operations;
  }

  private async flush(): Promise<void> {
    const operations = this.take();
    if (operations.length > 0) await this.stored.bulkWrite(operations);
  }

  private put(document: StoredDocument, operation: BulkOperation<StoredDocument>): void {
    const id = document._id;
    this.know(id, document);
    const earlier = this.puts.get(id);
    if (earlier !== undefined && this.merges) {
      this.operations[earlier] = operation;
      return;
    }
    this.puts.set(id, this.operations.length);
    this.operations.push(operation);
  }

  private know(id: DocumentId, document: StoredDocument | null): void {
    this.written.set(id, document);
    if (this.read.has(id)) this.read.set(id, document);
  }

  /** @param id of the one document that it can change; undefined: any */
  private addOpaque(operation: BulkOperation<StoredDocument>, id: DocumentId | undefined): void {
    this.operations.push(operation);
    if (id === undefined) {
      this.written.clear();
      this.read.clear();
      this.puts.clear();
      this.anyOpaque = true;
    } else {
      this.written.delete(id);
      this.read.delete(id);
      this.puts.delete(id);
      this.opaque.add(id);
    }
  }
}

/** The id of a filter that is nothing but one. */
function onlyId(filter: Filter<StoredDocument>): DocumentId | undefined {
  const id = filter._id;
  if (typeof id !== 'number' && typeof id !== 'string') return undefined;
  for (const field in filter) if (field !== '_id') return undefined;
  return id;
}
