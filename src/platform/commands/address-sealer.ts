import { addressKeyId } from '../content-keys/address-key.js';
import type { ContentKeys } from '../content-keys/content-keys.js';
import { newContentKey, type Sealed, seal } from '../content-keys/seal.js';
import { LruMap } from '../kernel/lru-map.js';
import type { SealingKey } from '../log/event-codec.js';

/** Accounts whose newest key is remembered. */
const REMEMBERED = 20_000;

/** Seals the addresses of requests, under one key an account and month (D24). */
export class AddressSealer {
  private readonly newest = new LruMap<number | null, SealingKey>(REMEMBERED);

  constructor(private readonly contentKeys: Pick<ContentKeys, 'putIfAbsent'>) {}

  /** The key is durable when this resolves. @param at milliseconds since 1970 */
  async sealed(address: string, actorId: number | null, at: number): Promise<Sealed> {
    const keyId = addressKeyId(actorId, at);
    const known = this.newest.get(actorId);
    const { key } = known?.keyId === keyId ? known : await this.store(keyId, actorId);
    return seal(address, keyId, key);
  }

  private async store(keyId: string, actorId: number | null): Promise<SealingKey> {
    const { key } = await this.contentKeys.putIfAbsent(keyId, newContentKey());
    const stored = { keyId, key };
    this.newest.set(actorId, stored);
    return stored;
  }
}
