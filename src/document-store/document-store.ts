import type { EventPlace } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';

export type DocumentId = string | number;

/** JSON without undefined; `_id` is unique in its collection. */
export interface StoredDocument {
  readonly _id: DocumentId;
}

/** A filter, update, sort or projection in MongoDB's own language; its meaning is MongoDB's (mingo decides it embedded). */
export type Filter<_D extends StoredDocument> = Readonly<Record<string, unknown>>;
export type Update<_D extends StoredDocument> = Readonly<Record<string, unknown>>;
export type Sort = Readonly<Record<string, 1 | -1>>;
export type FieldProjection = Readonly<Record<string, 0 | 1>>;

export interface IndexSpec {
  /** Field paths in order, as in `createIndex`. `_id` may be the last. */
  readonly keys: Sort;
  readonly unique?: boolean;
  /** Documents that lack every key of the index are left out of it (MongoDB's `sparse`). */
  readonly sparse?: boolean;
  /** The one key of the index whose field may hold an array. Undeclared, an array in an indexed field is refused. */
  readonly multikey?: string;
}

export interface CollectionSpec {
  readonly indexes?: readonly IndexSpec[];
  /** Fields searched by `$text`; one tokenizer (tokenize.ts) on every engine. */
  readonly text?: readonly string[];
  /**
   * Fields that a search is narrowed by: their values (numbers, texts, or the elements of an array) stand in the index
   * beside the words, so that an equality or `$in` on one of them costs a search no document that it does not return,
   * however often its words occur elsewhere. They change without the words being written again.
   */
  readonly textScope?: readonly string[];
  /**
   * Of `text`: fields whose words are kept elsewhere too, so that an index may hold on to those that were replaced, as
   * long as nothing is found by them. What narrows a search (`textScope`) may be held on to alike.
   */
  readonly textKeptElsewhere?: readonly string[];
}

export interface FindOptions {
  readonly sort?: Sort;
  readonly limit?: number;
  readonly projection?: FieldProjection;
}

export type BulkOperation<D extends StoredDocument> =
  | { readonly insertOne: { readonly document: D } }
  | { readonly replaceOne: { readonly filter: Filter<D>; readonly replacement: D; readonly upsert?: boolean } }
  | { readonly updateOne: { readonly filter: Filter<D>; readonly update: Update<D>; readonly upsert?: boolean } }
  | { readonly updateMany: { readonly filter: Filter<D>; readonly update: Update<D> } }
  | { readonly deleteOne: { readonly filter: Filter<D> } }
  | { readonly deleteMany: { readonly filter: Filter<D> } };

/** Writes to one collection, in order. */
export interface CollectionWrites {
  readonly collection: string;
  readonly operations: readonly BulkOperation<StoredDocument>[];
}

export interface WriteResult {
  readonly matched: number;
  readonly modified: number;
  readonly inserted: number;
  readonly deleted: number;
}

/**
 * The subset of MongoDB's `Collection` that projections and queries use (D14).
 *
 * Every filter must be bounded by an index (`_id` is one): equality, `$in` or a range on the leading keys of one
 * index, `$or` whose every branch is bounded, or `$text`; or the call is `find({}, …)` with a sort that an index (or
 * `_id`) serves **and** a limit. Anything else throws UnboundedFilter. `countDocuments({})` and `deleteMany({})` are allowed.
 *
 * `$text`: `{ $text: { $search: 'words "a phrase"' } }`: every word and every phrase must occur, as tokenize.ts cuts
 * them, in any one of the collection's text fields. (MongoDB's own $text ORs; this is the one place where the port differs.)
 */
export interface Collection<D extends StoredDocument> {
  findOne(filter: Filter<D>, options?: Omit<FindOptions, 'limit'>): Promise<D | null>;
  find(filter: Filter<D>, options?: FindOptions): Promise<D[]>;
  countDocuments(filter: Filter<D>): Promise<number>;
  /** @throws DuplicateKey */
  insertOne(document: D): Promise<WriteResult>;
  replaceOne(filter: Filter<D>, replacement: D, options?: { readonly upsert?: boolean }): Promise<WriteResult>;
  updateOne(filter: Filter<D>, update: Update<D>, options?: { readonly upsert?: boolean }): Promise<WriteResult>;
  updateMany(filter: Filter<D>, update: Update<D>): Promise<WriteResult>;
  deleteOne(filter: Filter<D>): Promise<WriteResult>;
  deleteMany(filter: Filter<D>): Promise<WriteResult>;
  /** In order; stops at the first failure. Not atomic outside a transaction. */
  bulkWrite(operations: readonly BulkOperation<D>[]): Promise<WriteResult>;
}

/** What a projection's collections and its checkpoint live in together. SQLite: one file. MongoDB: a name prefix. */
export interface DocumentDatabase {
  readonly name: string;
  /** Whether the engine has transactions. */
  readonly isAtomic: boolean;
  /** Creates the collections and indexes that are missing; must have run before a collection is used. */
  ensure(collections: Readonly<Record<string, CollectionSpec>>): Promise<void>;
  /** Reads see the last committed state. */
  collection<D extends StoredDocument>(name: string): Collection<D>;
  /**
   * Runs `work` once, with collections that read their own writes; all or nothing, the checkpoint included. One at a time
   * in a process: others queue. A call that fails ends it: let the failure out of `work`.
   * Where the engine has no transactions (`isAtomic`), writes are applied as they come and the checkpoint last, so `work` must be idempotent by position (D12).
   *
   * @throws DocumentStoreUnavailable: also where another process was in the way, or has moved the checkpoint that this
   * one knew. What was written may be stored all the same: ask for the checkpoint, and go on from there
   */
  transaction<T>(work: (transaction: DocumentTransaction) => Promise<T>): Promise<T>;
  /** The stored checkpoint; null where none has been stored. */
  checkpoint(): Promise<Position | null>;
  /**
   * Resolves when no word that was deleted or replaced before the call is left in any file of the database, as far as
   * the engine lets one have a say in that.
   */
  purge(): Promise<void>;
  /**
   * For whoever opened it, once: it stays open for others in this process who have opened it too. On SQLite, everything
   * is in the one file then.
   */
  close(): Promise<void>;
}

export interface DocumentTransaction {
  collection<D extends StoredDocument>(name: string): Collection<D>;
  /**
   * What several collections are told, in order, with the checkpoint where one is given (`setCheckpoint`): in as few
   * calls as the engine needs.
   *
   * @returns what became of each collection's writes
   * @throws DuplicateKey
   */
  writeAll(
    writes: readonly CollectionWrites[],
    checkpoint?: Position,
    event?: EventPlace,
  ): Promise<readonly WriteResult[]>;
  /** @param event the newest that is known to lie at the position or before it; absent: the one that is stored stays */
  setCheckpoint(position: Position, event?: EventPlace): Promise<void>;
}

/** How far a database has come, and by which log. */
export interface StoredCheckpoint {
  readonly database: string;
  readonly position: Position;
  /** null where none was ever given with a checkpoint. */
  readonly event: EventPlace | null;
}

/** Everything in it can be rebuilt from the log and deleted at any time. */
export interface DocumentStore {
  /**
   * Opens a database, creating it where it does not exist. The same name gives the same object until all who have
   * opened it have closed it.
   */
  database(name: string): Promise<DocumentDatabase>;
  /** Names of the databases that exist. */
  databases(): Promise<string[]>;
  /** Of all databases that have one, and can be read. */
  checkpoints(): Promise<readonly StoredCheckpoint[]>;
  /** Closes, whoever has it open, and removes; unknown names are ignored. */
  dropDatabase(name: string): Promise<void>;
  /**
   * Since opening: how many documents queries have looked at, and how many they returned. The suites bound the ratio.
   * @throws Error where the engine does not count them unless it is asked to when it is opened
   */
  rowsExamined(): { readonly examined: number; readonly returned: number };
  close(): Promise<void>;
}

export class UnboundedFilter extends Error {
  constructor(collection: string, filter: unknown) {
    super(`no index of ${collection} bounds the filter ${JSON.stringify(filter)}`);
    this.name = 'UnboundedFilter';
  }
}

export class DuplicateKey extends Error {
  constructor(
    readonly collection: string,
    readonly index: string,
  ) {
    super(`duplicate key in ${collection} (${index})`);
    this.name = 'DuplicateKey';
  }
}

export class DocumentStoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DocumentStoreUnavailable';
  }
}

/** A database that no waiting will mend: damaged, or of another version of the engine's format. Drop it and build anew. */
export class DocumentsUnusable extends DocumentStoreUnavailable {
  override readonly name = 'DocumentsUnusable';
}

/** Nest token of the port. */
export const DOCUMENT_STORE = Symbol('DocumentStore');
