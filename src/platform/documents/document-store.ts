import type { EventPlace } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';

export type DocumentId = string | number;

/** JSON without undefined; `_id` is unique in its collection. */
export interface StoredDocument {
  readonly _id: DocumentId;
}

/**
 * A filter in MongoDB's own language, with MongoDB's meaning (mingo decides it on SQLite). The operators are `$and`,
 * `$or`, `$nor`, `$text`, and on a field `$in`, `$gt`, `$gte`, `$lt`, `$lte`, `$all`, `$exists`.
 */
export type Filter<_D extends StoredDocument = StoredDocument> = Readonly<Record<string, unknown>>;
/** Sets fields of the document itself, by their names; not `_id`. */
export interface Update {
  readonly $set: Readonly<Record<string, unknown>>;
}
export type Sort = Readonly<Record<string, 1 | -1>>;
export type FieldProjection = Readonly<Record<string, 0 | 1>>;

export interface IndexSpec {
  /** Field paths in order, as in `createIndex`. `_id` may be the last. */
  readonly keys: Sort;
  /** May leave out documents whose first key is missing or null: no filter that allows null reads the index. */
  readonly sparse?: boolean;
  /** The one key whose field may hold an array. An array in any other indexed field is refused. */
  readonly multikey?: string;
}

export interface CollectionSpec {
  readonly indexes?: readonly IndexSpec[];
  /** Fields searched by `$text`; one tokenizer (tokenize.ts) on every engine. */
  readonly text?: readonly string[];
  /** Fields of `text` that are HTML: the text that it shows is searched (visible-text.ts). */
  readonly textHtml?: readonly string[];
  /**
   * The field with the code of the language that the document's words are in, which says what forms of a word are;
   * without it, English. Words are found in any form, and quoted ones as they are.
   */
  readonly textLanguage?: string;
  /**
   * Fields that narrow a search. Their values (numbers, texts, or the elements of an array) stand in the text index
   * beside the words: a search with an equality or `$in` on such a field looks at no document in vain, however often
   * its words occur elsewhere. A change of these fields does not write the words again.
   */
  readonly textScope?: readonly string[];
  /**
   * Fields of `text` whose words are kept elsewhere too. The text index may keep replaced words of theirs, as long as
   * no search finds a document by them. The same holds for values of `textScope`.
   */
  readonly textKeptElsewhere?: readonly string[];
}

export interface FindOptions {
  readonly sort?: Sort;
  /** Leaves out so many of the first documents. With a filter that one range of an index answers, they are not read. */
  readonly skip?: number;
  readonly limit?: number;
  readonly projection?: FieldProjection;
  /**
   * The keys of the index to read. It must bound the filter. Of the documents in its range, the engine alone tests which
   * satisfy further conditions that equal a field to a value: a search that few of them satisfy parses no others.
   */
  readonly hint?: Sort;
}

export type BulkOperation<D extends StoredDocument> =
  | { readonly insertOne: { readonly document: D } }
  | { readonly replaceOne: { readonly filter: Filter<D>; readonly replacement: D; readonly upsert?: boolean } }
  | { readonly updateOne: { readonly filter: Filter<D>; readonly update: Update } }
  | { readonly updateMany: { readonly filter: Filter<D>; readonly update: Update } }
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
 * `_id`) serves **and** a limit. `countDocuments({})` and `deleteMany({})` are allowed. Anything else throws
 * UnboundedFilter.
 *
 * `{ $text: { $search: 'words "a phrase"', $languages: ['en'] } }` wants every word, in any form, and every phrase, as
 * tokenize.ts cuts them, in any one of the collection's text fields. `$languages` has every language that documents are
 * in, the search's own first; without it, English alone. (MongoDB's own `$text` wants one of the words, and has one
 * language. Nothing else in the port differs.)
 */
export interface Collection<D extends StoredDocument> {
  findOne(filter: Filter<D>, options?: Omit<FindOptions, 'limit'>): Promise<D | null>;
  find(filter: Filter<D>, options?: FindOptions): Promise<D[]>;
  countDocuments(filter: Filter<D>): Promise<number>;
  /** @throws DuplicateKey */
  insertOne(document: D): Promise<WriteResult>;
  replaceOne(filter: Filter<D>, replacement: D, options?: { readonly upsert?: boolean }): Promise<WriteResult>;
  updateOne(filter: Filter<D>, update: Update): Promise<WriteResult>;
  updateMany(filter: Filter<D>, update: Update): Promise<WriteResult>;
  deleteOne(filter: Filter<D>): Promise<WriteResult>;
  deleteMany(filter: Filter<D>): Promise<WriteResult>;
  /** In order; stops at the first failure. Not atomic outside a transaction. */
  bulkWrite(operations: readonly BulkOperation<D>[]): Promise<WriteResult>;
}

/** A transaction's writes, all known before it begins. */
export interface WholeWrite {
  /** Written in order. */
  readonly writes: readonly CollectionWrites[];
  /** Stored with the writes; absent: the checkpoint stays. */
  readonly checkpoint?: Position;
  /** The newest event known to lie at or before the checkpoint; absent: the stored event stays. */
  readonly event?: EventPlace;
  /** Comes before the writes. It must match a document, or nothing is stored. */
  readonly condition?: WriteCondition;
}

interface WriteCondition {
  readonly collection: string;
  readonly operation: BulkOperation<StoredDocument>;
}

export interface EnsureOptions {
  /**
   * The engine may leave indexes out, because many documents are loaded first. It creates one when a query needs it, and
   * all of them at the next call without this option.
   */
  readonly indexesLater?: boolean;
}

/** A projection's collections and its checkpoint. SQLite: one file. MongoDB: collections with a common name prefix. */
export interface DocumentDatabase {
  readonly name: string;
  /** Creates missing collections and indexes. Must have run before a collection is used. */
  ensure(collections: Readonly<Record<string, CollectionSpec>>, options?: EnsureOptions): Promise<void>;
  /** Reads see the last committed state. */
  collection<D extends StoredDocument>(name: string): Collection<D>;
  /**
   * Runs `work` once, with collections that read their own writes. All or nothing is stored, the checkpoint included.
   * Transactions of a process queue. A failed call ends the transaction: let the failure out of `work`.
   *
   * @throws DocumentStoreUnavailable also if another process was in the way or has moved the checkpoint. The writes may
   * be stored all the same: ask for the checkpoint, and go on from there
   * @throws TransactionTooLarge
   */
  transaction<T>(work: (transaction: DocumentTransaction) => Promise<T>): Promise<T>;
  /**
   * A transaction whose writes are all known: an engine may commit it together with writes to other databases.
   *
   * @returns the result of each collection's writes
   * @throws ConditionFailed, DuplicateKey, TransactionTooLarge, DocumentStoreUnavailable; see `transaction`
   */
  write(write: WholeWrite): Promise<readonly WriteResult[]>;
  /** Whether any process has made the collection. */
  has(collection: string): Promise<boolean>;
  /** null before the first checkpoint is stored. */
  checkpoint(): Promise<Position | null>;
  /**
   * Resolves when no file of the database holds text that was deleted or replaced before the call, as far as the engine
   * can be told to erase it.
   */
  purge(): Promise<void>;
  /**
   * Undoes one opening: the database closes with the last of them. On SQLite, the closed database is one file, without
   * a write-ahead log.
   */
  close(): Promise<void>;
}

export interface DocumentTransaction {
  collection<D extends StoredDocument>(name: string): Collection<D>;
  /**
   * Writes to several collections, in order, and then the checkpoint if one is given (as `setCheckpoint`), in as few
   * calls as the engine needs.
   *
   * @returns the result of each collection's writes
   * @throws DuplicateKey
   */
  writeAll(
    writes: readonly CollectionWrites[],
    checkpoint?: Position,
    event?: EventPlace,
  ): Promise<readonly WriteResult[]>;
  /** @param event the newest event known to lie at or before the position; absent: the stored event stays */
  setCheckpoint(position: Position, event?: EventPlace): Promise<void>;
}

/** A database's position in the log, and an event by which the log is recognized. */
export interface StoredCheckpoint {
  readonly database: string;
  readonly position: Position;
  /** null if no checkpoint ever came with an event. */
  readonly event: EventPlace | null;
}

/** Databases of documents. All of them can be deleted at any time and rebuilt from the log. */
export interface DocumentStore {
  /** Opens a database, or creates it. The same name gives the same object until each opening has been closed. */
  database(name: string): Promise<DocumentDatabase>;
  databases(): Promise<string[]>;
  /**
   * Leaves out databases that have no checkpoint, or cannot be read.
   * @param database only this one's
   */
  checkpoints(database?: string): Promise<readonly StoredCheckpoint[]>;
  /** Closes the database for everyone in this process, and removes it. Unknown names are ignored. */
  dropDatabase(name: string): Promise<void>;
  /**
   * Numbers of documents that queries looked at and returned since the store was opened. Specs bound the ratio.
   * @throws Error if the engine counts only when told to at its opening, and was not told to
   */
  rowsExamined(): { readonly examined: number; readonly returned: number };
  /** Names of databases that were removed at the opening because they were damaged. The operator was told of each. */
  readonly foundDamaged?: ReadonlySet<string>;
  /** The engine limits neither the size nor the time of a transaction. Absent: it does. */
  readonly takesLargeTransactions?: true;
  close(): Promise<void>;
}

export class UnboundedFilter extends Error {
  constructor(collection: string, filter: unknown) {
    super(`no index of ${collection} bounds the filter ${JSON.stringify(filter)}`);
    this.name = 'UnboundedFilter';
  }
}

export class DuplicateKey extends Error {
  constructor(readonly collection: string) {
    super(`duplicate _id in ${collection}`);
    this.name = 'DuplicateKey';
  }
}

export class DocumentStoreUnavailable extends Error {
  /** The engine is there, and refuses this work: it may refuse it again. */
  readonly isRefusal: boolean;

  constructor(message: string, { isRefusal = false, ...options }: ErrorOptions & { isRefusal?: boolean } = {}) {
    super(message, options);
    this.name = 'DocumentStoreUnavailable';
    this.isRefusal = isRefusal;
  }
}

/** The condition of a write matched no document. Nothing was stored. */
export class ConditionFailed extends Error {
  constructor(database: string) {
    super(`the condition of a write to ${database} does not hold`);
    this.name = 'ConditionFailed';
  }
}

/** The engine does not take so many bytes in one transaction: write them in several. Nothing was stored. */
export class TransactionTooLarge extends Error {
  constructor(database: string, bytes: number) {
    super(`a transaction of ${database} writes more than ${bytes} bytes`);
    this.name = 'TransactionTooLarge';
  }
}

/** A database that was found damaged. */
export interface DamagedDocuments {
  /** Name of the database. */
  readonly name: string;
  readonly path: string;
  readonly reason: string;
}

/** The database is damaged, or of another version of the engine's format. Drop it and build it anew. */
export class DocumentsUnusable extends DocumentStoreUnavailable {
  override readonly name = 'DocumentsUnusable';
}

/** Nest token of the port. */
export const DOCUMENT_STORE = Symbol('DocumentStore');

/**
 * Lets through letters, digits, dot, underscore and hyphen, and no file name with a meaning of its own.
 *
 * @throws TypeError for any other name
 */
export function checkedName(name: string): string {
  if (/^[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,127}$/.test(name)) return name;
  throw new TypeError(`${JSON.stringify(name)} is no name: letters, digits, dot, underscore and hyphen`);
}
