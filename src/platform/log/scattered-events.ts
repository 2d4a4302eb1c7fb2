import type { EventPlace } from '../kernel/event.js';
import { forEachConcurrently } from '../kernel/for-each-concurrently.js';
import type { EventStore, StoredEvent } from './event-store.js';

/** Reading so many events in vain costs less than another read. */
const MOST_BETWEEN = 6;
const READS_AT_ONCE = 8;

type Place = Omit<EventPlace, 'id'>;

/** Neighbouring events of a stream, which one read finds. */
interface Stretch {
  readonly stream: string;
  readonly from: number;
  readonly to: number;
}

/** Reads the events at the places, in their order. @throws Error if the log is another one; EventStoreUnavailable */
export async function eventsAt(
  places: readonly Place[],
  log: Pick<EventStore, 'readStream' | 'readAt'>,
): Promise<readonly StoredEvent[]> {
  const positions = places.map(({ position }) => position);
  const events = (await log.readAt?.(positions)) ?? (await fromStreams(places, log));
  const found = new Map(events.map((event) => [event.position, event]));
  return places.map(({ position, stream, revision }) => {
    const event = found.get(position);
    if (event?.stream !== stream || event.revision !== revision)
      throw new Error(`the log has no event ${stream}@${revision} at position ${position}`);
    return event;
  });
}

async function fromStreams(places: readonly Place[], log: Pick<EventStore, 'readStream'>): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  await forEachConcurrently(stretchesOf(places), READS_AT_ONCE, async ({ stream, from, to }) => {
    for (let next = from; next <= to; ) {
      const events = await log.readStream(stream, { from: next, limit: to - next + 1 });
      if (events.length === 0) break;
      found.push(...events);
      next += events.length;
    }
  });
  return found;
}

function stretchesOf(places: readonly Place[]): readonly Stretch[] {
  const ordered = [...places].sort((a, b) =>
    a.stream === b.stream ? a.revision - b.revision : a.stream < b.stream ? -1 : 1,
  );
  const stretches: Stretch[] = [];
  for (const { stream, revision } of ordered) {
    const last = stretches.at(-1);
    if (last && last.stream === stream && revision - last.to <= MOST_BETWEEN)
      stretches[stretches.length - 1] = { ...last, to: revision };
    else stretches.push({ stream, from: revision, to: revision });
  }
  return stretches;
}
