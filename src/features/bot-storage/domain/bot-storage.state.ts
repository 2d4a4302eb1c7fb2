import { Map as PersistentMap } from 'immutable';
import type { BotStorageEntry, BotStorageEvent } from '../../../events/bot-storage/bot-storage.events.js';
import type { Decider } from '../../../platform/kernel/deciding.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';

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

export function charactersOf({ name, value }: BotStorageEntry): number {
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
