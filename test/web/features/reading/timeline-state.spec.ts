import { describe, expect, it } from '@jest/globals';
import {
  EMPTY,
  evolveTimeline,
  type Timeline,
  withNewer,
  withOlder,
} from '../../../../web/features/reading/timeline-state.js';
import { AT_END, movedWindow, openedWindow, SHOWN, shownOf } from '../../../../web/features/reading/window.js';
import type { ClientEvent, Message, MessageEvent } from '../../../../web/platform/client-events.js';
import { type Place, placeOf } from '../../../../web/platform/places.js';

const ME = 1;
const TEA: Place = { kind: 'topic', channelId: 7, topic: 'tea' };

const message = (id: number, subject = 'tea'): Message => ({
  id,
  sender_id: 2,
  sender_full_name: 'Bob',
  content: `<p>${id}</p>`,
  timestamp: id,
  type: 'stream',
  stream_id: 7,
  display_recipient: 'kitchen',
  subject,
  reactions: [],
  flags: [],
});

const from = (first: number, last: number): Message[] =>
  Array.from({ length: last - first + 1 }, (_, index) => message(first + index));

const sent = (id: number, subject = 'tea'): MessageEvent => {
  const { flags, ...rest } = message(id, subject);
  return { id: id * 1000, type: 'message', message: rest, flags };
};

const loaded = (first: number, last: number): Timeline => ({ ...EMPTY, messages: from(first, last), hasNewest: true });

const evolved = (timeline: Timeline, ...events: ClientEvent[]): Timeline =>
  events.reduce((state, event) => evolveTimeline(state, event, TEA, ME), timeline);

const ids = (messages: readonly Message[]): number[] => messages.map(({ id }) => id);
const idsOf = ({ messages }: Timeline): number[] => ids(messages);

const page = (messages: Message[], found_oldest = false, found_newest = false) => ({
  messages,
  found_oldest,
  found_newest,
});

describe('the messages of a place', () => {
  it('have each once, in their order, from pages and from events', () => {
    const timeline = withOlder(evolved(loaded(5, 6), sent(7), sent(7)), page(from(3, 5), true));
    expect(idsOf(timeline)).toEqual([3, 4, 5, 6, 7]);
    expect(timeline).toMatchObject({ hasOldest: true, hasNewest: true });
  });

  it('get no message by an event while those before it are not loaded', () => {
    const timeline = evolved({ ...loaded(1, 2), hasNewest: false }, sent(9));
    expect(idsOf(withNewer(timeline, page(from(2, 9), false, true)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(idsOf(timeline)).toEqual([1, 2]);
  });

  it('are of this place alone', () => {
    expect(idsOf(evolved(loaded(1, 1), sent(2, 'milk'), sent(3, 'TEA')))).toEqual([1, 3]);
  });

  it('are as they were edited, reacted to, marked and deleted, however often that is told', () => {
    const reaction = { user_id: 2, emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
    const events: ClientEvent[] = [
      { id: 1, type: 'reaction', op: 'add', message_id: 1, ...reaction },
      { id: 2, type: 'update_message_flags', op: 'add', flag: 'read', messages: [1], all: false },
      { id: 3, type: 'delete_message', message_ids: [2] },
      {
        ...{ id: 4, type: 'update_message', message_id: 1, message_ids: [1], flags: ['mentioned'] },
        ...{ edit_timestamp: 9, rendered_content: '<p>new</p>', stream_id: 7 },
      },
    ];
    const [only, ...others] = evolved(loaded(1, 2), ...events, ...events).messages;
    expect(others).toEqual([]);
    expect(only).toMatchObject({ content: '<p>new</p>', reactions: [reaction], flags: ['read', 'mentioned'] });
    const removed: ClientEvent = { id: 5, type: 'reaction', op: 'remove', message_id: 1, ...reaction };
    expect(evolved(loaded(1, 1), ...events, removed).messages[0]?.reactions).toEqual([]);
  });

  it('go when they are moved away, and are asked for when others are moved here', () => {
    const moved = { type: 'update_message', flags: [], edit_timestamp: 9, stream_id: 7 } as const;
    const away = evolved(loaded(1, 3), { ...moved, id: 1, message_id: 2, message_ids: [2, 3], subject: 'milk' });
    expect([idsOf(away), away.isOutdated]).toEqual([[1], false]);
    const here = evolved(away, {
      ...moved,
      id: 2,
      message_id: 2,
      message_ids: [2],
      orig_subject: 'milk',
      subject: 'tea',
    });
    expect(here.isOutdated).toBe(true);
  });

  it('are held up to a bound, at the end where one reads', () => {
    const older = withOlder(loaded(3001, 6000), page(from(2901, 3000)));
    expect([older.messages.length, older.messages[0]?.id, older.hasNewest]).toEqual([3000, 2901, false]);
    const newer = evolved({ ...loaded(1, 3000), hasOldest: true }, sent(3001));
    expect([newer.messages.length, newer.messages[0]?.id, newer.hasOldest]).toEqual([3000, 2, false]);
  });
});

describe('the window of what is rendered', () => {
  it('moves to both ends, and no further', () => {
    const all = loaded(1, 200);
    for (const direction of [-1, 1] as const) {
      let shown = shownOf(all.messages, openedWindow(all, direction < 0 ? 0 : 1));
      expect(ids(shown)).toEqual(ids(direction < 0 ? from(121, 200) : from(1, SHOWN)));
      for (let moved = movedWindow(all, shown, direction); moved; moved = movedWindow(all, shown, direction)) {
        const before = new Set(shown);
        shown = shownOf(all.messages, moved);
        expect(shown.length).toBe(SHOWN);
        // A frame renders few new rows.
        expect(shown.filter((one) => !before.has(one)).length).toBeLessThanOrEqual(5);
      }
      expect(ids(shown)).toEqual(ids(direction < 0 ? from(1, SHOWN) : from(121, 200)));
    }
  });

  it('grows by steps when a page is loaded beside it', () => {
    const opened = { ...loaded(101, 141), hasNewest: false };
    let window = openedWindow(opened, 101);
    expect(ids(shownOf(opened.messages, window))).toEqual(ids(opened.messages));
    const more = withOlder(withNewer(opened, page(from(142, 241))), page(from(1, 100)));
    expect(ids(shownOf(more.messages, window))).toEqual(ids(opened.messages));
    for (const [direction, first, last] of [
      [1, 101, 146],
      [-1, 96, 146],
    ] as const) {
      window = movedWindow(more, shownOf(more.messages, window), direction) ?? AT_END;
      expect(ids(shownOf(more.messages, window))).toEqual(ids(from(first, last)));
    }
  });

  it('takes in what comes while it is at the newest message, and nothing before', () => {
    const few = loaded(1, 10);
    const withOne = evolved(few, sent(11));
    expect(ids(shownOf(withOne.messages, openedWindow(few, 1)))).toEqual(ids(from(1, 11)));
    const many = loaded(1, 200);
    const next = evolved(many, sent(201));
    expect(ids(shownOf(next.messages, openedWindow(many, 0)))).toEqual(ids(from(122, 201)));
    expect(ids(shownOf(next.messages, openedWindow(many, 1)))).toEqual(ids(from(1, SHOWN)));
  });

  it('is at the end if nothing of it is left', () => {
    expect(ids(shownOf(from(1, 100), { first: 500, last: 600 }))).toEqual(ids(from(21, 100)));
  });
});

describe('an address in the page', () => {
  it('is of a place, or of none', () => {
    expect(placeOf(['channels', '7', 'topics', 'a b'])).toEqual({ kind: 'topic', channelId: 7, topic: 'a b' });
    expect(placeOf(['channels', '7', 'topics'])).toEqual({ kind: 'topic', channelId: 7, topic: '' });
    expect(placeOf(['direct', '2,3'])).toEqual({ kind: 'direct', userIds: [2, 3] });
    for (const none of [['channels'], ['channels', 'x'], ['channels', '7', 'x'], ['direct', '2,'], ['nowhere']])
      expect({ none, place: placeOf(none) }).toEqual({ none, place: null });
  });
});
