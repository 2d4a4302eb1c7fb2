import { Map as PersistentMap } from 'immutable';
import type {
  BotStorageEntry,
  BotStorageEntryAdded,
  BotStorageEntryRemoved,
  BotStorageEntryReplaced,
  BotStorageEvent,
} from '../../../events/bot-storage/bot-storage.events.js';
import { bytesInJson } from '../../../platform/kernel/byte-budget.js';
import { Command, type Decide, type Decider, refuse } from '../../../platform/kernel/deciding.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';
import { longerThan } from '../../../platform/kernel/text.js';

/** An entry without its value: a bot may store ten million characters. */
interface StoredEntry {
  readonly keyId: string;
  /** Of the value; hexadecimal. */
  readonly sha256: string;
  /** Of name and value, in Unicode code points. */
  readonly characters: number;
}

export interface BotStorageState {
  readonly byName: PersistentMap<string, StoredEntry>;
  /** The name of each entry by the id of its content key: events that end a key name nothing else. */
  readonly names: PersistentMap<string, string>;
  /** Of all names and values, in Unicode code points. */
  readonly characters: number;
}

function charactersOf({ name, value }: BotStorageEntry): number {
  let characters = 0;
  for (const text of [name, value]) for (const _ of text) characters++;
  return characters;
}

function withEntry(state: BotStorageState, keyId: string, entry: BotStorageEntry | null): BotStorageState {
  if (!entry) return state;
  const characters = charactersOf(entry);
  return {
    byName: state.byName.set(entry.name, { keyId, sha256: sha256Of(entry.value), characters }),
    names: state.names.set(keyId, entry.name),
    characters: state.characters + characters,
  };
}

function withoutEntry(state: BotStorageState, keyId: string): BotStorageState {
  const name = state.names.get(keyId);
  // The entry was erased before its event was read here.
  if (name === undefined) return state;
  return {
    byName: state.byName.delete(name),
    names: state.names.delete(keyId),
    characters: state.characters - (state.byName.get(name)?.characters ?? 0),
  };
}

/** One account's storage. */
export const botStorage: Decider<BotStorageState, BotStorageEvent> = {
  initialState: { byName: PersistentMap(), names: PersistentMap(), characters: 0 },
  evolve: (state, event) => {
    const { keyId } = event.data;
    switch (event.type) {
      case 'BotStorageEntryAdded':
        return withEntry(state, keyId, event.data.entry);
      case 'BotStorageEntryReplaced':
        return withEntry(withoutEntry(state, event.data.previousKeyId), keyId, event.data.entry);
      case 'BotStorageEntryRemoved':
        return withoutEntry(state, keyId);
      default:
        event satisfies never;
        return state;
    }
  },
};

/** An estimate of an event in an append besides its entry, in bytes. */
const BYTES_OF_EVENT = 512;

/** What an account may write in an hour, in KiB: the log keeps replaced and removed values, too, without their keys. */
export const MOST_KIB_IN_HOUR = 64 * 1024;

/** The bytes that entries take in an append. */
export const bytesToStore = (entries: readonly BotStorageEntry[]): number =>
  entries.reduce((sum, entry) => sum + bytesInJson(entry) + BYTES_OF_EVENT, 0);

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

interface StoreEntriesFacts {
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

/** Removes the entries of these names; null: all. */
export class RemoveEntries extends Command<{ userId: number; names: readonly string[] | null }> {}

export const decideRemoveEntries: Decide<RemoveEntries, BotStorageState, BotStorageEntryRemoved> = (
  { userId, names },
  { byName },
) =>
  [...new Set(names ?? byName.keys())].map((name) => {
    const { keyId } = byName.get(name) ?? refuse('BOT_STORAGE_KEY_NOT_FOUND');
    return { type: 'BotStorageEntryRemoved', data: { userId, keyId } };
  });
