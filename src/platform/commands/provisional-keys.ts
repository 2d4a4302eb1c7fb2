import type { ContentKeys } from '../content-keys/content-keys.js';
import { newContentKey } from '../content-keys/seal.js';
import type { SealingKey } from '../log/event-codec.js';
import { EventStoreUnavailable } from '../log/event-store.js';

/** Keys of content that is about to be appended. Each is durable before the append, and useless without it (D7). */
export class ProvisionalKeys {
  private readonly unused = new Set<string>();

  constructor(private readonly contentKeys: ContentKeys) {}

  /** @param keyId undefined: the event has no content of its own */
  async putIfAbsent(keyId: string | undefined): Promise<SealingKey | undefined> {
    if (keyId === undefined) return undefined;
    const { key, inserted } = await this.contentKeys.putIfAbsent(keyId, newContentKey());
    if (inserted) this.unused.add(keyId);
    return { keyId, key };
  }

  /** Marks the keys of content that is in the log. */
  used(keys: readonly (SealingKey | undefined)[]): void {
    for (const key of keys) if (key) this.unused.delete(key.keyId);
  }

  /** Destroys unused keys after the work, but keeps them if the append's outcome is unknown. */
  async destroyingUnused<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof EventStoreUnavailable && error.stored === 'unknown') this.unused.clear();
      throw error;
    } finally {
      // Unused keys seal nothing, so they do no harm if this fails.
      if (this.unused.size > 0) await this.contentKeys.destroy([...this.unused]).catch(() => {});
    }
  }
}
