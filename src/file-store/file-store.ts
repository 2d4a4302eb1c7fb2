import type { Readable } from 'node:stream';

/** Of a file's bytes, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredFile {
  /** Bytes of the whole file, whatever range was asked for. */
  readonly size: number;
  /** Must be read to its end, or destroyed. */
  readonly content: Readable;
}

/**
 * The bytes of uploaded files. They are neither in the log nor derived from it (D7), so a backup needs them besides. A
 * file comes in two steps, so that none is lost of which the log knows, and none stays of which it does not: it is
 * received, its event is appended, and it is kept. Names are ours, never a client's: see `checked-name.ts`.
 */
export interface FileStore {
  /**
   * Durable when resolved, and to be read from then on. Where it rejects, nothing is left behind: with what `content`
   * threw, or as unavailable.
   *
   * @param content is never held in memory as a whole
   */
  receive(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** A file that was received stays. To do it again does nothing, nor does it for a name that is not there. */
  keep(name: string): Promise<void>;
  /**
   * Received, by whoever has ended since or forgotten about it, and not kept: the log says whether to keep or to remove
   * them. Never a file that somebody may still be busy with.
   */
  abandoned(): Promise<readonly string[]>;
  /** null where there is none. */
  read(name: string, range?: ByteRange): Promise<StoredFile | null>;
  /** When resolved, they are gone, whether they were kept or not. Unknown names are ignored. */
  remove(names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export class FileStoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileStoreUnavailable';
  }
}

/** Nest token of the port. */
export const FILE_STORE = Symbol('FileStore');
