import { addressesOf } from '../content-keys/month-key.js';
import { type Sealed, seal } from '../content-keys/seal.js';
import type { MonthKeys } from './month-keys.js';

/** Seals the addresses of requests, under one key an account and month (D24). */
export class AddressSealer {
  constructor(private readonly keys: Pick<MonthKeys, 'of'>) {}

  /** The key is durable when this resolves. @param at milliseconds since 1970 */
  async sealed(address: string, actorId: number | null, at: number): Promise<Sealed> {
    const { keyId, key } = await this.keys.of(addressesOf(actorId), at);
    return seal(address, keyId, key);
  }
}
