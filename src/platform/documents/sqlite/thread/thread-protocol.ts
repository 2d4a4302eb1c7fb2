import {
  ConditionFailed,
  DocumentStoreUnavailable,
  DocumentsUnusable,
  DuplicateKey,
  type WriteResult,
} from '../../document-store.js';

export interface ThreadData {
  /** Folder of the documents. */
  readonly directory: string;
}

/** Answered in the order in which they come. */
export interface ThreadRequest {
  readonly database: string;
  /** JSON of a `WholeWrite`, which is read faster than a clone of it; null: the database is closed. */
  readonly write: string | null;
}

/** Ends the thread once it has answered. */
export const CLOSE = 'close';

export type ThreadAnswer = { readonly results: readonly WriteResult[] } | { readonly failure: CarriedFailure };

/** An error of a write, as plain data: a thread cannot hand over an object of a class. */
interface CarriedFailure {
  readonly name: string;
  readonly message: string;
  /** Of a duplicate key. */
  readonly collection?: string;
}

export function carried(error: unknown): CarriedFailure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  return error instanceof DuplicateKey ? { name, message, collection: error.collection } : { name, message };
}

/** The error as the port names it. */
export function uncarried({ name, message, collection = '' }: CarriedFailure, database: string): Error {
  switch (name) {
    case 'DuplicateKey':
      return new DuplicateKey(collection);
    case 'ConditionFailed':
      return new ConditionFailed(database);
    case 'DocumentsUnusable':
      return new DocumentsUnusable(message);
    case 'DocumentStoreUnavailable':
      return new DocumentStoreUnavailable(message);
    default:
      return Object.assign(new Error(message), { name });
  }
}
