import type { BotStorageEntry, BotStorageEvent } from '../../src/events/bot-storage/bot-storage.events.js';
import { bytesInJson } from '../../src/platform/kernel/byte-budget.js';
import { type UserItem, userList } from '../../src/platform/read-models/user-list.js';

/** An entry of an account's storage, under the id of its content key. */
export interface BotStorageDocument extends BotStorageEntry, UserItem {
  /** In an answer, as JSON. */
  readonly bytes: number;
}

const documentOf = (entry: BotStorageEntry) => ({ ...entry, bytes: bytesInJson(entry) });

/** What bots store for themselves. An entry whose key is destroyed is left out. No client is told of it. */
export const botStorage = userList<BotStorageEvent, BotStorageDocument>({
  name: 'bot-storage',
  version: 1,
  holdsContent: true,
  items: 'entries',
  indexes: [{ keys: { userId: 1, name: 1 } }],
  order: { name: 1 },
  on: {
    BotStorageEntryAdded: ({ data: { keyId, entry } }, own) => (entry ? [own.put(keyId, documentOf(entry))] : []),
    BotStorageEntryReplaced: ({ data: { keyId, previousKeyId, entry } }, own) => [
      own.remove(previousKeyId),
      ...(entry ? [own.put(keyId, documentOf(entry))] : []),
    ],
    BotStorageEntryRemoved: ({ data: { keyId } }, own) => [own.remove(keyId)],
  },
});
