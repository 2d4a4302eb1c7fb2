import type { BotStorageEntry } from '../../../events/bot-storage/bot-storage.events.js';
import { bytesInJson } from '../../../platform/kernel/byte-budget.js';

/** An estimate of an event in an append besides its entry, in bytes. */
const BYTES_OF_EVENT = 512;

/** What an account may write in an hour, in KiB: the log keeps replaced and removed values, too, without their keys. */
export const MOST_KIB_IN_HOUR = 64 * 1024;

/** The bytes that entries take in an append. */
export const bytesToStore = (entries: readonly BotStorageEntry[]): number =>
  entries.reduce((sum, entry) => sum + bytesInJson(entry) + BYTES_OF_EVENT, 0);
