import type { Recorded } from '../kernel/event.js';
import { KEY_MISSING } from '../kernel/key-missing.js';
import type { EventCodec } from './event-codec.js';
import type { StoredEvent } from './event-store.js';
import type { KeyEnds } from './key-ends.js';

/**
 * Decodes events for people who read the log: content whose key is missing is `KEY_MISSING`, and null only if its key was destroyed.
 * That costs reads of the log for content without a key, and none for other content.
 */
export class CodecForPeople {
  constructor(
    private readonly codec: Pick<EventCodec, 'decodeWithAddresses' | 'keyNotThere' | 'withContent'>,
    private readonly ends: Pick<KeyEnds, 'withoutEnd'>,
  ) {}

  /**
   * Decodes events in order, with the addresses of their requests.
   * @param isShown whether the content of the event is shown. Else nothing tells why it is null
   */
  async decodeWithAddresses(
    stored: readonly StoredEvent[],
    isShown: (event: Recorded) => boolean = () => true,
  ): Promise<Recorded[]> {
    const events = await this.codec.decodeWithAddresses(stored);
    const keyIds = events.map((event, at) => {
      const before = stored[at];
      return before && isShown(event) ? this.codec.keyNotThere(before, event) : null;
    });
    const needed = new Map<string, StoredEvent>();
    for (const [at, event] of stored.entries()) {
      const keyId = keyIds[at] ?? null;
      if (keyId !== null && !needed.has(keyId)) needed.set(keyId, event);
    }
    if (needed.size === 0) return events;
    const missing = await this.ends.withoutEnd(needed, stored);
    return events.map((event, at) =>
      missing.has(keyIds[at] ?? '') ? this.codec.withContent(event, KEY_MISSING) : event,
    );
  }
}
