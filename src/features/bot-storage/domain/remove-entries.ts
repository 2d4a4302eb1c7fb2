import type { BotStorageEntryRemoved } from '../../../events/bot-storage/bot-storage.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { BotStorageState } from './bot-storage.state.js';

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
