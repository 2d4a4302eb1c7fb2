import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

/** A range of a file's bytes, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredFile {
  /** Bytes of the whole file, whatever the range. */
  readonly size: number;
  /** Must be read to its end, or destroyed. */
  readonly content: Readable;
}

/**
 * The bytes of uploaded files. They are neither in the log nor derived from it (D7), so a backup needs them besides. A
 * file is received, its event is appended, and the file is kept: so no file that the log knows is lost, and none that
 * it does not know stays. Names are the server's, never a client's: see `checked-name.ts`.
 */
export interface FileStore {
  /**
   * Stores a file, durably and readably when it resolves. If it rejects, with the error of `content` or as unavailable,
   * nothing is left behind.
   *
   * @param content is never held in memory as a whole
   */
  receive(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Makes a received file stay. Does nothing if it was called before, or for an unknown name. */
  commit(name: string): Promise<void>;
  /**
   * Lists files that were received and not committed by a process that has ended or forgotten them: the log decides whether
   * to commit or to remove them. Leaves out files that may still be in use.
   */
  abandoned(): Promise<readonly string[]>;
  /** Lists the files that are committed, in pages, in no order. A page may name a file that was removed meanwhile. */
  committed(): AsyncIterable<readonly string[]>;
  /** Opens a file; null if there is none. */
  read(name: string, range?: ByteRange): Promise<StoredFile | null>;
  /**
   * Stores a file that was made from another, such as a smaller picture. It may be lost in a crash: it can be made again.
   *
   * @returns false if the original is gone: then nothing is stored
   */
  storeDerived(name: string, variant: string, bytes: Uint8Array): Promise<boolean>;
  /** Opens a derived file; null if there is none. */
  readDerived(name: string, variant: string): Promise<StoredFile | null>;
  /**
   * Removes files, kept or not, with all that was derived from them; they are gone when it resolves. Unknown names are
   * ignored.
   */
  remove(names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export class FileStoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileStoreUnavailable';
  }
}

/** A name for a new file, which nobody can guess: 24 letters, digits, `-` and `_`. */
export const newFileName = (): string => randomBytes(18).toString('base64url');

/** Nest token of the port. */
export const FILE_STORE = Symbol('FileStore');
