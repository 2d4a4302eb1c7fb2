import type { ContentKeys } from './content-keys.js';

/** Begins the names of the keys that seal addresses of requests, and no other key's. */
export const ADDRESS_KEYS = 'address:';

/** Begins the names of the keys that seal the words of accesses, and no other key's. */
export const ACCESS_KEYS = 'access:';

const NAME = /^(?:address:(?:\d+|none)|access):(\d{4})-(\d\d)(?::[\da-f-]{36})?$/;

/** The holder of the keys of the addresses that one account had. */
export const addressesOf = (actorId: number | null): string => `${ADDRESS_KEYS}${actorId ?? 'none'}`;

/** The holder of the keys of all accesses. */
export const ALL_ACCESSES = 'access';

/**
 * Names the key of one month (UTC). @param at milliseconds since 1970
 * @param since id of the event with which keys were given up, if there is one: a key that was lost gets no successor of
 * its name, under which all that it has sealed would look altered
 */
export const monthKeyId = (holder: string, at: number, since: string | null = null): string =>
  `${holder}:${new Date(at).toISOString().slice(0, 7)}${since === null ? '' : `:${since}`}`;

/** Tells when the month of a key ended, milliseconds since 1970; null for a name that is not a month's key. */
export function endOfMonth(keyId: string): number | null {
  const [, year, month] = NAME.exec(keyId) ?? [];
  return year === undefined ? null : Date.UTC(Number(year), Number(month));
}

/** Whether the month (UTC) of a time has ended. @param at, now milliseconds since 1970 */
export const isMonthOver = (at: number, now: number): boolean => (endOfMonth(monthKeyId(ALL_ACCESSES, at)) ?? 0) <= now;

/** The keys of addresses alone: content stays sealed. */
export const addressKeysOf = (keys: Pick<ContentKeys, 'getMany'>): Pick<ContentKeys, 'getMany'> => ({
  getMany: async (ids) => keys.getMany(ids.filter((id) => id.startsWith(ADDRESS_KEYS))),
});
