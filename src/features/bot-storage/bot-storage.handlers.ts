import { type BotStorageDocument, botStorage } from '../../../projections/bot-storage/bot-storage.projection.js';
import {
  type BotStorageEntry,
  type BotStorageEvent,
  botStorageStream,
} from '../../events/bot-storage/bot-storage.events.js';
import { decidesOn } from '../../platform/commands/decides-on.js';
import type { CommandStream } from '../../platform/commands/decisions.js';
import { inHour, type Limited, SharedLimits } from '../../platform/http/logins/shared-limits.js';
import { ANSWER_BYTES } from '../../platform/kernel/byte-budget.js';
import { refuse } from '../../platform/kernel/deciding.js';
import { derivedId, newEventId } from '../../platform/kernel/ids.js';
import { Query } from '../../platform/kernel/query.js';
import { answersFrom } from '../../platform/read-models/answers-from.js';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import {
  type BotStorageState,
  botStorage as botStorageDecider,
  bytesToStore,
  decideRemoveEntries,
  decideStoreEntries,
  MOST_KIB_IN_HOUR,
  RemoveEntries,
  StoreEntries,
} from './domain/bot-storage.js';

/** Events of an account's storage that are read at once: each may be as large as an append. */
const PAGE = 50;

const storageOf = ({ userId }: { readonly userId: number }): CommandStream<BotStorageState, BotStorageEvent> => ({
  stream: botStorageStream(userId),
  decider: botStorageDecider,
  expects: 'any',
  page: PAGE,
});

/** Counts a request that stores, also one that replaces, stores the same again, or is refused. */
export const storageWrites = (userId: number, entries: readonly BotStorageEntry[]): Limited => ({
  ...inHour(`bot storage ${userId}`, MOST_KIB_IN_HOUR),
  points: Math.ceil(bytesToStore(entries) / 1024),
});

/**
 * The values of these names, by name; null: of all names.
 * @throws DomainError BOT_STORAGE_KEY_NOT_FOUND, TOO_MUCH_OF_BOT_STORAGE
 */
export class GetBotStorage extends Query<
  { userId: number; names: readonly string[] | null },
  Readonly<Record<string, string>>
> {}

export const botStorageHandlers = [
  decidesOn(StoreEntries, {
    stream: storageOf,
    decide: decideStoreEntries,
    uses: SharedLimits,
    facts: async ({ userId, entries }, limits) => {
      await limits.consume(storageWrites(userId, entries));
      const request = newEventId();
      return { keyId: (index) => derivedId('bot-storage', request, index) };
    },
  }),
  decidesOn(RemoveEntries, { stream: storageOf, decide: decideRemoveEntries }),
  answersFrom(
    GetBotStorage,
    [READ_MODELS, ANSWER_BYTES],
    async ({ userId, names }, readModels: ReadModels, answerBytes: number) => {
      const wanted = names && [...new Set(names)];
      const filter = wanted ? { userId, name: { $in: wanted } } : { userId };
      const entries = readModels.collection<BotStorageDocument>(botStorage, botStorage.items);
      // Values are read only if an answer has room for them.
      const sizes = await entries.find(filter, { projection: { bytes: 1 } });
      if (wanted && sizes.length < wanted.length) refuse('BOT_STORAGE_KEY_NOT_FOUND');
      if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) > answerBytes) refuse('TOO_MUCH_OF_BOT_STORAGE');
      const found = await entries.find(filter, { sort: botStorage.order });
      return Object.fromEntries(found.map(({ name, value }) => [name, value]));
    },
  ),
];
