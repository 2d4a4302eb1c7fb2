import type { ContentKeys } from '../content-keys/content-keys.js';
import { ALL_ACCESSES, monthKeyId } from '../content-keys/month-key.js';
import { newContentKey } from '../content-keys/seal.js';
import { LruMap } from '../kernel/lru-map.js';
import type { SealingKey } from '../log/event-codec.js';

/** Holders whose newest key is remembered. */
const REMEMBERED = 20_000;

/** Keys of which each holder has one a month, so that what they seal ends by age (D24). */
export class MonthKeys {
  private readonly newest = new LruMap<string, SealingKey>(REMEMBERED);

  /** @param since id of the event with which keys were given up last; null: there is none */
  constructor(
    private readonly contentKeys: Pick<ContentKeys, 'putIfAbsent'>,
    private since: string | null,
  ) {}

  /** Keys were given up just now: from now on, keys have new names. */
  givenUpWith(event: string): void {
    this.since = event;
  }

  /** The key is durable when this resolves. @param at milliseconds since 1970 */
  async of(holder: string, at: number): Promise<SealingKey> {
    const keyId = monthKeyId(holder, at, this.since);
    const known = this.newest.get(holder);
    return known?.keyId === keyId ? known : this.store(keyId, holder);
  }

  private async store(keyId: string, holder: string): Promise<SealingKey> {
    const { key } = await this.contentKeys.putIfAbsent(keyId, newContentKey());
    const stored = { keyId, key };
    this.newest.set(holder, stored);
    return stored;
  }
}

/** The keys that seal the words of accesses. */
export class AccessKeys {
  constructor(private readonly keys: Pick<MonthKeys, 'of'>) {}

  /** The running month's key, which is durable when this resolves. */
  current(): Promise<SealingKey> {
    return this.keys.of(ALL_ACCESSES, Date.now());
  }
}
