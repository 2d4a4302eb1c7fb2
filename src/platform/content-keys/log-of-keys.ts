import type { ContentKey, ContentKeys } from './content-keys.js';

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
