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
   * Lists the names that begin with `prefix` and have a key, in batches and in no certain order. A name whose key is stored
   * or destroyed meanwhile may be listed or not.
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

export const KEY_BYTES = 32;

/** @throws TypeError for an empty name, or a key that is not 32 random bytes */
export function refuseBadKey(id: string, key: ContentKey): void {
  if (id === '') throw new TypeError('a content key has a name');
  if (key.length !== KEY_BYTES || key.every((byte) => byte === 0)) {
    throw new TypeError(`a content key is ${KEY_BYTES} random bytes`);
  }
}

/** Gives the least text greater than every name with the prefix. @throws TypeError if it is empty, or not ASCII */
export function afterPrefix(prefix: string): string {
  if (!/^[\x20-\x7d]+$/.test(prefix)) throw new TypeError('a prefix of names is printable ASCII');
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

/**
 * Name of the row that tells which log the keys belong to. The id of the log stands where other rows have a key: the 32
 * hexadecimal digits of a UUID are as long as a key. Earlier versions ignore the row.
 */
export const LOG_OF_KEYS = 'log';
const UUID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Reads the id of the log that the keys belong to; null: no server has stored it yet. */
export async function logOfKeys(keys: Pick<ContentKeys, 'getMany'>): Promise<string | null> {
  const stored = (await keys.getMany([LOG_OF_KEYS])).get(LOG_OF_KEYS);
  return stored === undefined ? null : idIn(stored);
}

/** Stores the id, unless there is one. @returns the id that is there now */
export async function claimKeys(keys: Pick<ContentKeys, 'putIfAbsent'>, log: string): Promise<string> {
  const { key } = await keys.putIfAbsent(LOG_OF_KEYS, Buffer.from(log.replaceAll('-', ''), 'latin1'));
  return idIn(key);
}

function idIn(stored: ContentKey): string {
  const text = Buffer.from(stored).toString('latin1');
  return UUID.exec(text)?.slice(1).join('-') ?? text;
}
