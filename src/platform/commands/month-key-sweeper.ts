import type { ContentKeys } from '../content-keys/content-keys.js';
import { ACCESS_KEYS, ADDRESS_KEYS, endOfMonth } from '../content-keys/month-key.js';
import { DAY_MS } from '../kernel/durations.js';
import { Sweeper } from './sweeper.js';

const FIRST_AFTER_MS = 60_000;

type Keys = Pick<ContentKeys, 'names' | 'destroy'>;

/**
 * Destroys keys whose month ended too long ago, once a day. The running month's keys stay, even if nothing is sealed under
 * them any more: a name whose key was destroyed would get another key, and everything under the first one would look
 * altered. Several processes may sweep at once.
 */
abstract class MonthKeySweeper extends Sweeper {
  /** @param keptFor milliseconds after the end of a month */
  protected constructor(
    private readonly contentKeys: Keys,
    private readonly keptFor: number,
    private readonly of: { readonly name: string; readonly what: string; readonly prefix: string },
  ) {
    super({
      name: of.name,
      failure: `keys of old ${of.what} could not be destroyed`,
      every: DAY_MS,
      firstAfter: FIRST_AFTER_MS,
    });
  }

  /** @param now milliseconds since 1970 */
  async sweep(now: number = Date.now()): Promise<void> {
    const isOld = (name: string): boolean => now - (endOfMonth(name) ?? now) > this.keptFor;
    for await (const names of this.contentKeys.names(this.of.prefix)) {
      await this.contentKeys.destroy(names.filter(isOld));
      if (this.isOver) return;
    }
  }
}

/** Ends the addresses of requests. */
export class AddressKeySweeper extends MonthKeySweeper {
  constructor(contentKeys: Keys, keptFor: number) {
    super(contentKeys, keptFor, { name: 'Addresses', what: 'addresses', prefix: ADDRESS_KEYS });
  }
}

/** Ends the words of accesses. */
export class AccessKeySweeper extends MonthKeySweeper {
  constructor(contentKeys: Keys, keptFor: number) {
    super(contentKeys, keptFor, { name: 'Accesses', what: 'accesses', prefix: ACCESS_KEYS });
  }
}
