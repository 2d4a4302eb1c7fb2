import type { ContentKeys } from './content-keys.js';

/** Begins the names of the keys that seal addresses of requests, and no other key's. */
export const ADDRESS_KEYS = 'address:';

const NAME = /^address:(?:\d+|none):(\d{4})-(\d\d)$/;

/** Names the key of the addresses that one account had in one month (UTC). @param at milliseconds since 1970 */
export const addressKeyId = (actorId: number | null, at: number): string =>
  `${ADDRESS_KEYS}${actorId ?? 'none'}:${new Date(at).toISOString().slice(0, 7)}`;

/** Tells when the month of a key ended, milliseconds since 1970; null for a name that is not an address key's. */
export function endOfMonth(keyId: string): number | null {
  const [, year, month] = NAME.exec(keyId) ?? [];
  return year === undefined ? null : Date.UTC(Number(year), Number(month));
}

/** The keys of addresses alone: content stays sealed. */
export const addressKeysOf = (keys: Pick<ContentKeys, 'getMany'>): Pick<ContentKeys, 'getMany'> => ({
  getMany: async (ids) => keys.getMany(ids.filter((id) => id.startsWith(ADDRESS_KEYS))),
});
