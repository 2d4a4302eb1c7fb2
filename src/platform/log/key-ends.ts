import { endOfMonth } from '../content-keys/month-key.js';
import type { Recorded } from '../kernel/event.js';
import { forEachConcurrently } from '../kernel/for-each-concurrently.js';
import { KEY_MISSING } from '../kernel/key-missing.js';
import { nextSlice } from '../kernel/slices.js';
import { isEventId } from './encode-append.js';
import type { EventCodec } from './event-codec.js';
import type { EventStore, StoredEvent } from './event-store.js';

/** Newest events of a stream, which are read first: nothing follows the end of a message or of a file. */
const NEWEST = 20;
/** Events of a stream that are read at once. */
const PAGE = 200;
const STREAMS_AT_ONCE = 8;

/** Keys, each with an event that it seals. */
type NeededKeys = ReadonlyMap<string, StoredEvent>;

/** Keys of events are named by their ids. Others are of a month, and end with their time, but not before the month does. */
export const mustBeThere = (keyId: string): boolean => isEventId(keyId) || (endOfMonth(keyId) ?? 0) > Date.now();

/** Tells destroyed keys from missing keys. The log is the judge: it records the end of each key but those of months. */
export class KeyEnds {
  /** @param streamOfEnd names the stream with the event that ends the event's key */
  constructor(
    private readonly log: Pick<EventStore, 'readStream'>,
    private readonly codec: Pick<EventCodec, 'keysEndedBy'>,
    private readonly streamOfEnd: (event: StoredEvent) => string,
  ) {}

  /**
   * Leaves out the keys that an event ends, and those of months that are over.
   * @param keys are not there
   * @param known are read already, and may have ends
   * @throws EventStoreUnavailable
   */
  async withoutEnd(keys: NeededKeys, known: readonly StoredEvent[]): Promise<NeededKeys> {
    const left = new Map([...keys].filter(([keyId]) => mustBeThere(keyId)));
    remove(left, this.codec.keysEndedBy(known));
    // No event ends the key of a month.
    const ofEvents = [...left].filter(([keyId]) => isEventId(keyId));
    const streams = new Map<string, StoredEvent[]>();
    for (const [, event] of ofEvents) {
      const stream = this.streamOfEnd(event);
      streams.set(stream, [...(streams.get(stream) ?? []), event]);
    }
    await forEachConcurrently(streams, STREAMS_AT_ONCE, async ([stream, events]) => {
      const begin = Math.min(...events.map((event) => (event.stream === stream ? event.revision + 1 : 0)));
      let missing = events.length;
      for await (const page of this.endsIn(stream, begin)) {
        missing -= remove(left, page);
        if (missing === 0) return;
      }
    });
    return left;
  }

  /** The keys that the events of a stream end, from a revision on. */
  private async *endsIn(stream: string, begin: number): AsyncGenerator<readonly string[]> {
    const newest = await this.log.readStream(stream, { direction: 'backwards', limit: NEWEST });
    yield this.codec.keysEndedBy(newest);
    const end = newest.at(-1)?.revision ?? 0;
    for (let from = begin; from < end; ) {
      await nextSlice();
      const page = await this.log.readStream(stream, { from, limit: Math.min(PAGE, end - from) });
      if (page.length === 0) return;
      yield this.codec.keysEndedBy(page);
      from += page.length;
    }
  }
}

/** @returns how many of the keys were there */
function remove(keys: Map<string, StoredEvent>, ended: readonly string[]): number {
  return ended.filter((keyId) => keys.delete(keyId)).length;
}

/**
 * Decodes events for people who read the log: content whose key is missing is `KEY_MISSING`, and null only if its key was
 * destroyed. That costs reads of the log for content without a key, and none for other content.
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
