/** A key of AES-256: 32 bytes. */
export type ContentKey = Uint8Array;

export interface PutResult {
  /** The key under the name now: the given one, or an earlier one. */
  readonly key: ContentKey;
  /** False if the name had a key already: an earlier attempt may have appended. */
  readonly inserted: boolean;
}

/**
 * The keys of content that people wrote (D7), named by the id of the first event they seal. A store of its own, backed
 * up apart from the log; destroying a key erases its content.
 */
export interface ContentKeys {
  /** Stores a key, durably when it resolves. Concurrent calls share one write. */
  putIfAbsent(id: string, key: ContentKey): Promise<PutResult>;
  /** Reads the keys that exist; a missing one was destroyed or never stored. */
  getMany(ids: readonly string[]): Promise<ReadonlyMap<string, ContentKey>>;
  /** The names without a key of the right length, in any order. It tells no keys, and so costs less than reading them. */
  missing(ids: readonly string[]): Promise<readonly string[]>;
  /** Destroys keys: when it resolves, no file of the store holds their bytes. Unknown ids are ignored. */
  destroy(ids: readonly string[]): Promise<void>;
  /**
   * Lists the names that begin with `prefix` and have a key, in batches and in no certain order. A name whose key is stored or
   * destroyed meanwhile may be listed or not.
   */
  names(prefix: string): AsyncIterable<readonly string[]>;
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
