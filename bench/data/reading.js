// @ts-check
import { rangesOf, readStateStream } from '../../dist/src/read-state/domain/read-state.events.js';
import { UNREAD, USERS } from './organization.js';
import { randomFrom } from './words.js';

/** So many messages are marked by one event, as the server does it. */
const MOST_IN_ONE = 5000;

/** Within what EventStoreDB takes at once, 1 MiB. */
const BYTES_AT_ONCE = 800_000;
/** Of an event, besides its data: id, type, metadata. */
const ENVELOPE = 500;

/** Read messages that are marked as unread again. */
const MARKS = 500;

/**
 * What some people have read of the messages: topic after topic, in no order, as somebody does who looks at what
 * interests them first. Each list is one append.
 *
 * @param {import('./organization.js').Organization} organization
 * @param {import('./messages.js').Messages} messages
 * @param {number} count
 * @returns {Generator<{ stream: string, events: { type: string, data: object }[] }>}
 */
export function* readingHistory(organization, messages, count) {
  const topics = topicsOf(messages, count);
  for (const userId of [USERS.reader, USERS.readerOfFew, USERS.marker]) {
    const channels = Array.from({ length: organization.channels }, (_, index) => index + 1);
    const subscribed = new Set(channels.filter((id) => organization.subscribersOf(id).includes(userId)));
    const own = topics.filter(({ channelId }) => subscribed.has(channelId));
    const total = own.reduce((sum, { ids }) => sum + ids.length, 0);
    // A twentieth, where there are not many.
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

/** @typedef {{ type: string, data: { ranges: readonly unknown[] } }} Marking */

/** @param {readonly Marking[]} events @returns {Generator<Marking[]>} */
function* portions(events) {
  /** @type {Marking[]} */
  let some = [];
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

/**
 * @param {import('./messages.js').Messages} messages
 * @param {number} count
 */
function topicsOf(messages, count) {
  /** @type {Map<string, { channelId: number, ids: number[] }>} */
  const topics = new Map();
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

/** @param {'FlagsAdded' | 'FlagsRemoved'} type @param {number} userId @param {number[]} ids @returns {Marking[]} */
function marked(type, userId, ids) {
  const events = [];
  for (let end = ids.length; end > 0; end -= MOST_IN_ONE) {
    const some = ids.slice(Math.max(0, end - MOST_IN_ONE), end);
    events.push({ type, data: { userId, flag: 'read', ranges: rangesOf(some) } });
  }
  return events;
}

/** @template T @param {readonly T[]} list @param {number} seed @returns {T[]} */
function shuffled(list, seed) {
  const random = randomFrom(seed);
  const mixed = [...list];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [mixed[at], mixed[other]] = [/** @type {T} */ (mixed[other]), /** @type {T} */ (mixed[at])];
  }
  return mixed;
}
