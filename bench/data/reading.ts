import {
  type FlagsAdded,
  type FlagsRemoved,
  rangesOf,
  readStateStream,
} from '../../src/events/read-state/read-state.events.js';
import { cyclic } from '../driver/cyclic.js';
import type { Messages } from './messages.js';
import { type Append, type Organization, UNREAD, USERS } from './organization.js';
import { randomFrom } from './words.js';

/** Messages that one event marks at most, as in the server. */
const MOST_IN_ONE = 5000;

/** Bytes of one append: below the 1 MiB that EventStoreDB takes at once. */
const BYTES_AT_ONCE = 800_000;
/** Bytes of an event besides its data: id, type, metadata. */
const ENVELOPE = 500;

/** Messages that the marker has read and marked as unread again. */
const MARKS = 500;

/**
 * Tells which messages some people have read: whole topics in no order, as people read who begin with what interests
 * them most.
 */
export function* readingHistory(
  organization: Organization,
  messages: Messages,
  count: number,
): Generator<Append<Marking>> {
  const topics = topicsOf(messages, count);
  for (const userId of [USERS.reader, USERS.readerOfFew, USERS.marker]) {
    const channels = Array.from({ length: organization.channels }, (_, index) => index + 1);
    const subscribed = new Set(channels.filter((id) => organization.subscribersOf(id).includes(userId)));
    const own = topics.filter(({ channelId }) => subscribed.has(channelId));
    const total = own.reduce((sum, { ids }) => sum + ids.length, 0);
    // In a short log, a twentieth is left unread.
    let left = Math.min(UNREAD, Math.floor(total / 20));
    const read = shuffled(own, userId).filter(({ ids }) => {
      if (ids.length > left) return true;
      left -= ids.length;
      return false;
    });
    const events = read.flatMap(({ ids }) => marked('FlagsAdded', userId, ids));
    if (userId === USERS.marker) {
      const again = shuffled(
        read.flatMap(({ ids }) => ids),
        userId,
      ).slice(0, MARKS);
      events.push(...again.flatMap((id) => marked('FlagsRemoved', userId, [id])));
    }
    for (const some of portions(events)) yield { stream: readStateStream(userId), events: some };
  }
}

type Marking = FlagsAdded | FlagsRemoved;

function* portions(events: readonly Marking[]): Generator<Marking[]> {
  let some: Marking[] = [];
  let bytes = 0;
  for (const event of events) {
    const own = ENVELOPE + JSON.stringify(event.data).length;
    if (some.length > 0 && bytes + own > BYTES_AT_ONCE) {
      yield some;
      some = [];
      bytes = 0;
    }
    some.push(event);
    bytes += own;
  }
  if (some.length > 0) yield some;
}

function topicsOf(messages: Messages, count: number) {
  const topics = new Map<string, { channelId: number; ids: number[] }>();
  for (let n = 0; n < count; n++) {
    const { recipient } = messages.event(n).data;
    if (!('topic' in recipient)) continue;
    const { channelId, topic } = recipient;
    const known = topics.get(`${channelId} ${topic}`);
    if (known) known.ids.push(n + 1);
    else topics.set(`${channelId} ${topic}`, { channelId, ids: [n + 1] });
  }
  return [...topics.values()];
}

function marked(type: Marking['type'], userId: number, ids: number[]): Marking[] {
  const events: Marking[] = [];
  for (let end = ids.length; end > 0; end -= MOST_IN_ONE) {
    const some = ids.slice(Math.max(0, end - MOST_IN_ONE), end);
    events.push({ type, data: { userId, flag: 'read', ranges: rangesOf(some) } });
  }
  return events;
}

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const random = randomFrom(seed);
  const mixed = [...list];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [mixed[at], mixed[other]] = [cyclic(mixed, other), cyclic(mixed, at)];
  }
  return mixed;
}
