import type { ContentKeys } from '../content-keys/content-keys.js';
import { newContentKey } from '../content-keys/seal.js';
import type { SealingKey } from '../event-codec/event-codec.js';
import { EventStoreUnavailable } from '../event-store/event-store.js';

/** Keys of words that are about to be appended: each is durable before that, and of no use where nothing was (D7). */
export class KeysInReserve {
  private readonly unused = new Set<string>();

  constructor(private readonly contentKeys: ContentKeys) {}

  /** @param keyId undefined: there are no words of their own */
  async putIfAbsent(keyId: string | undefined): Promise<SealingKey | undefined> {
    if (keyId === undefined) return undefined;
    const { key, inserted } = await this.contentKeys.putIfAbsent(keyId, newContentKey());
    if (inserted) this.unused.add(keyId);
    return { keyId, key };
  }

  /** What they seal is in the log. */
  used(keys: readonly (SealingKey | undefined)[]): void {
    for (const key of keys) if (key) this.unused.delete(key.keyId);
  }

  /** Where it is not known whether something was appended, the keys stay: it could not be read without them. */
  async destroyingUnused<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof EventStoreUnavailable && error.stored === 'unknown') this.unused.clear();
      throw error;
    } finally {
      // They seal nothing: left behind, they do no harm.
      if (this.unused.size > 0) await this.contentKeys.destroy([...this.unused]).catch(() => {});
    }
  }
}
