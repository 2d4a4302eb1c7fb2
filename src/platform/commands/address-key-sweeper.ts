import { ADDRESS_KEYS, endOfMonth } from '../content-keys/address-key.js';
import type { ContentKeys } from '../content-keys/content-keys.js';
import { Sweeper } from './sweeper.js';

const DAY_MS = 86_400_000;
const FIRST_AFTER_MS = 60_000;

/**
 * Destroys the keys of addresses whose month ended too long ago, once a day. The running month's keys stay, even if no
 * address is kept any more: a name whose key was destroyed would get another key, and the addresses under the first one
 * would look altered. Several processes may sweep at once.
 */
export class AddressKeySweeper extends Sweeper {
  /** @param keptFor milliseconds after the end of a month */
  constructor(
    private readonly contentKeys: Pick<ContentKeys, 'names' | 'destroy'>,
    private readonly keptFor: number,
  ) {
    super({
      name: 'Addresses',
      failure: 'keys of old addresses could not be destroyed',
      every: DAY_MS,
      firstAfter: FIRST_AFTER_MS,
    });
  }

  /** @param now milliseconds since 1970 */
  async sweep(now: number = Date.now()): Promise<void> {
    const isOld = (name: string): boolean => now - (endOfMonth(name) ?? now) > this.keptFor;
    for await (const names of this.contentKeys.names(ADDRESS_KEYS)) {
      await this.contentKeys.destroy(names.filter(isOld));
      if (this.isOver) return;
    }
  }
}
