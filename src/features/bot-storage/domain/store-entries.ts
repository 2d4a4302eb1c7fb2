import type {
  BotStorageEntry,
  BotStorageEntryAdded,
  BotStorageEntryReplaced,
} from '../../../events/bot-storage/bot-storage.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { longerThan } from '../../../platform/kernel/longer-than.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';
import { type BotStorageState, charactersOf } from './bot-storage.state.js';
import { bytesToStore } from './storage-writes.js';

/** Names and values of an account together, in Unicode code points. */
const MOST_CHARACTERS = 10_000_000;
/** Entries of an account: all of them can be removed in one append. */
export const MOST_ENTRIES = 1000;
/** In Unicode code points. */
export const LONGEST_NAME = 1000;
/** Of the entries stored together, in bytes as JSON: they are appended together, which has its limit. */
const MOST_BYTES_AT_ONCE = 256 * 1024;

/** Adds entries, or replaces the values of those that exist. */
export class StoreEntries extends Command<{ userId: number; entries: readonly BotStorageEntry[] }> {}

export interface StoreEntriesFacts {
  /** A new key id for each entry. */
  readonly keyId: (index: number) => string;
}

/** @returns one event for each entry whose value differs from the stored one */
export const decideStoreEntries: Decide<
  StoreEntries,
  BotStorageState,
  BotStorageEntryAdded | BotStorageEntryReplaced,
  StoreEntriesFacts
> = ({ userId, entries }, { byName, characters }, facts) => {
  if (entries.some(({ name }) => longerThan(name, LONGEST_NAME)))
    refuse('BOT_STORAGE_KEY_TOO_LONG', { limit: LONGEST_NAME });
  const changed = entries.filter(({ name, value }) => byName.get(name)?.sha256 !== sha256Of(value));
  const limitAtOnce = MOST_BYTES_AT_ONCE / 1024;
  if (bytesToStore(changed) > MOST_BYTES_AT_ONCE) refuse('TOO_MUCH_FOR_BOT_STORAGE', { limit: limitAtOnce });
  const added = changed.filter(({ name }) => !byName.has(name));
  if (byName.size + added.length > MOST_ENTRIES) refuse('TOO_MANY_BOT_STORAGE_KEYS', { limit: MOST_ENTRIES });
  const growth = changed.reduce(
    (sum, entry) => sum + charactersOf(entry) - (byName.get(entry.name)?.characters ?? 0),
    0,
  );
  const excess = characters + growth - MOST_CHARACTERS;
  if (excess > 0) refuse('BOT_STORAGE_FULL', { excess, limit: MOST_CHARACTERS });
  return changed.map((entry, index) => {
    const previousKeyId = byName.get(entry.name)?.keyId;
    const keyId = facts.keyId(index);
    return previousKeyId === undefined
      ? { type: 'BotStorageEntryAdded', data: { userId, keyId, entry } }
      : { type: 'BotStorageEntryReplaced', data: { userId, keyId, previousKeyId, entry } };
  });
};
