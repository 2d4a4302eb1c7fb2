import type {
  BulkOperation,
  Collection,
  CollectionSpec,
  CollectionWrites,
  DocumentId,
  Filter,
  FindOptions,
  StoredDocument,
} from '../../src/platform/documents/document-store.js';
import { fieldsSet } from '../../src/platform/documents/field-path.js';
import { onlyId, onlyIds } from '../../src/platform/documents/only-ids.js';
import type { Change, LookUp, OwnDocuments } from '../../src/platform/read-models/projection.js';
import { type KnownCollection, ReadDocuments } from './read-documents.js';
import { NOTHING, sizeOf, sumOf, type WriteSize } from './write-size.js';

type Reads<D extends StoredDocument> = Pick<Collection<D>, 'findOne' | 'find' | 'countDocuments'>;

/** Reads and writes of a collection before a batch's end. */
export type BatchCollection = Reads<StoredDocument> & Pick<Collection<StoredDocument>, 'bulkWrite'>;

/** Ids in one query. */
const MOST_AT_ONCE = 1000;

/**
 * A batch's changes on their way into its transaction. They are written together at the end, or before a read that they
 * could change. A document that was put or read before is answered from memory. Documents given out are shared:
 * projections must not alter them.
 */
export class PendingChanges implements OwnDocuments {
  /** There are changes, written or waiting. */
  touched = false;
  private readonly byCollection = new Map<string, PendingCollection>();

  constructor(
    private readonly transaction: { collection(name: string): BatchCollection },
    private readonly collections: Readonly<Record<string, CollectionSpec>>,
    private readonly read = new ReadDocuments(),
  ) {}

  /** Everything added, written or waiting. A document that is put several times counts once while it waits. */
  get size(): WriteSize {
    let size = NOTHING;
    for (const pending of this.byCollection.values()) size = sumOf(size, pending.size);
    return size;
  }

  /** Reads documents before any change, so that reading them later costs no query. */
  async readAhead(lookUps: readonly LookUp[]): Promise<void> {
    const ids = new Map<string, Set<DocumentId>>();
    for (const [collection, id] of lookUps) {
      const own = ids.get(collection);
      if (own) own.add(id);
      else ids.set(collection, new Set([id]));
    }
    for (const [collection, own] of ids) await this.pending(collection).readAhead(own);
  }

  add(changes: readonly Change[]): void {
    for (const change of changes) {
      this.touched = true;
      this.pending(change.collection).add(change.operation);
    }
  }

  collection<D extends StoredDocument>(name: string): Reads<D> {
    return this.pending(name) as unknown as Reads<D>;
  }

  /** Hands over the changes not written yet. */
  drain(): readonly CollectionWrites[] {
    return [...this.byCollection].flatMap(([collection, pending]) => {
      const operations = pending.drain();
      return operations.length > 0 ? [{ collection, operations }] : [];
    });
  }

  private pending(name: string): PendingCollection {
    let pending = this.byCollection.get(name);
    if (!pending) {
      const spec = this.collections[name];
      if (!spec) throw new Error(`the projection declares no collection ${name}`);
      pending = new PendingCollection(this.transaction.collection(name), this.read.in(name), spec);
      this.byCollection.set(name, pending);
    }
    return pending;
  }
}

class PendingCollection implements Reads<StoredDocument> {
  /** New documents. They are written first, without a look-up: no operation before can concern them. */
  private readonly inserts = new Map<DocumentId, StoredDocument>();
  private operations: BulkOperation<StoredDocument>[] = [];
  /** Documents that this batch has put, by id, as they are now; null: removed. */
  private readonly written = new Map<DocumentId, StoredDocument | null>();
  /** The place in `operations` of a document's put, while no later operation depends on it. */
  private readonly puts = new Map<DocumentId, number>();
  /** Documents changed by a waiting operation whose result only the store knows. */
  private readonly opaque = new Set<DocumentId>();
  private anyOpaque = false;
  /** Sizes of the puts that wait. */
  private readonly putSizes = new Map<DocumentId, WriteSize>();
  private total = { documents: 0, bytes: 0 };

  constructor(
    private readonly stored: BatchCollection,
    private readonly known: KnownCollection,
    private readonly spec: CollectionSpec,
  ) {}

  get size(): WriteSize {
    return this.total;
  }

  add(operation: BulkOperation<StoredDocument>): void {
    const size = sizeOf(operation, this.spec);
    this.total.documents += size.documents;
    this.total.bytes += size.bytes;
    if ('replaceOne' in operation) {
      const { filter, replacement, upsert } = operation.replaceOne;
      if (upsert && onlyId(filter) === replacement._id) this.put(replacement, operation, size);
      else {
        this.known.expect(replacement._id);
        this.addOpaque(operation, onlyId(filter));
      }
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
    } else if ('updateMany' in operation) {
      const { filter, update } = operation.updateMany;
      const ids = onlyIds(filter);
      if (ids) this.update(ids, fieldsSet(update), operation);
      else this.addOpaque(operation, undefined);
    } else {
      const ids = onlyIds(operation.deleteMany.filter);
      if (ids) this.remove(ids, operation);
      else this.addOpaque(operation, undefined);
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
    const read = this.known.get(id);
    if (read !== undefined) return read;
    if (this.isLacking(id)) {
      // A projection that asks for the document now asks again when it exists.
      this.known.set(id, null);
      return null;
    }
    if (this.anyOpaque || this.opaque.has(id)) await this.flush();
    const document = await this.stored.findOne(filter);
    this.known.set(id, document);
    return document;
  }

  async readAhead(ids: ReadonlySet<DocumentId>): Promise<void> {
    const unread: DocumentId[] = [];
    for (const id of ids) {
      if (this.known.lacks(id)) this.known.set(id, null);
      else if (this.known.get(id) === undefined) unread.push(id);
    }
    for (let from = 0; from < unread.length; from += MOST_AT_ONCE) {
      const some = unread.slice(from, from + MOST_AT_ONCE);
      for (const id of some) this.known.set(id, null);
      for (const document of await this.stored.find({ _id: { $in: some } })) this.known.set(document._id, document);
    }
  }

  async find(filter: Filter<StoredDocument>, options?: FindOptions): Promise<StoredDocument[]> {
    await this.flush();
    return this.stored.find(filter, options);
  }

  async countDocuments(filter: Filter<StoredDocument>): Promise<number> {
    await this.flush();
    return this.stored.countDocuments(filter);
  }

  /** The caller writes the operations before any further read. */
  drain(): readonly BulkOperation<StoredDocument>[] {
    const inserts = [...this.inserts.values()].map((document) => ({ insertOne: { document } }));
    const operations = [...inserts, ...this.operations];
    this.operations = [];
    this.inserts.clear();
    this.puts.clear();
    this.putSizes.clear();
    this.opaque.clear();
    this.anyOpaque = false;
    return operations;
  }

  private async flush(): Promise<void> {
    const operations = this.drain();
    if (operations.length > 0) await this.stored.bulkWrite(operations);
  }

  private put(document: StoredDocument, operation: BulkOperation<StoredDocument>, size: WriteSize): void {
    const id = document._id;
    const earlier = this.puts.get(id);
    const isInserted = this.isInserted(id);
    if (isInserted || earlier !== undefined) this.discount(this.putSizes.get(id) ?? NOTHING);
    this.putSizes.set(id, size);
    if (isInserted || this.isNew(id)) {
      this.inserts.set(id, document);
    } else if (earlier !== undefined) {
      this.operations[earlier] = operation;
    } else {
      this.puts.set(id, this.operations.length);
      this.operations.push(operation);
    }
    this.know(id, document);
  }

  private discount({ documents, bytes }: WriteSize): void {
    this.total.documents -= documents;
    this.total.bytes -= bytes;
  }

  private remove(ids: readonly DocumentId[], operation: BulkOperation<StoredDocument>): void {
    this.operations.push(operation);
    for (const id of ids) {
      this.makeOpaque(id);
      this.know(id, null);
    }
  }

  /** Adds an update of these documents only; other documents stay known. @param set the fields that each of them gets */
  private update(
    ids: readonly DocumentId[],
    set: Readonly<Record<string, unknown>>,
    operation: BulkOperation<StoredDocument>,
  ): void {
    this.operations.push(operation);
    for (const id of ids) {
      const written = this.written.get(id);
      const before = written === undefined ? this.known.get(id) : written;
      // Even a missing document: a later put must not come before the update.
      this.makeOpaque(id);
      if (before) this.know(id, { ...before, ...set });
      else if (before !== null) this.forget(id);
    }
  }

  /** The document waits to be inserted, and no waiting operation depends on it. */
  private isInserted(id: DocumentId): boolean {
    return this.inserts.has(id) && !this.anyOpaque && !this.opaque.has(id);
  }

  private isNew(id: DocumentId): boolean {
    return !this.written.has(id) && this.isLacking(id);
  }

  private isLacking(id: DocumentId): boolean {
    return !this.anyOpaque && !this.opaque.has(id) && this.known.lacks(id);
  }

  private know(id: DocumentId, document: StoredDocument | null): void {
    if (document) this.known.expect(id);
    this.written.set(id, document);
    if (this.known.get(id) !== undefined) this.known.set(id, document);
  }

  /** @param id of the only document that the operation can change; undefined: any */
  private addOpaque(operation: BulkOperation<StoredDocument>, id: DocumentId | undefined): void {
    this.operations.push(operation);
    if (id === undefined) {
      this.written.clear();
      this.known.clear();
      this.puts.clear();
      this.anyOpaque = true;
    } else {
      this.makeOpaque(id);
      this.forget(id);
    }
  }

  private makeOpaque(id: DocumentId): void {
    this.puts.delete(id);
    this.opaque.add(id);
  }

  private forget(id: DocumentId): void {
    this.written.delete(id);
    this.known.forget(id);
  }
}
