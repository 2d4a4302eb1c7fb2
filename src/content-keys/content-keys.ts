/** A key of AES-256: 32 bytes. */
export type ContentKey = Uint8Array;

export interface PutResult {
  /** The key that is stored under the name now: the one given, or the one that was there. */
  readonly key: ContentKey;
  /** False where the name had a key already: an earlier attempt may have appended. */
  readonly inserted: boolean;
}

/**
 * The keys of people's words (D7), named by the id of the first event they seal. A store of its own, backed up apart
 * from the log; destroying a key is what makes the words gone.
 */
export interface ContentKeys {
  /** Durable when resolved. Concurrent calls share one write. */
  putIfAbsent(id: string, key: ContentKey): Promise<PutResult>;
  /** Those that exist; a missing one was destroyed or never stored. */
  getMany(ids: readonly string[]): Promise<ReadonlyMap<string, ContentKey>>;
  /** When resolved, the bytes of the keys are in no file of the store. Unknown ids are ignored. */
  destroy(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export class ContentKeysUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ContentKeysUnavailable';
  }
}

/** Nest token of the port. */
export const CONTENT_KEYS = Symbol('ContentKeys');
