import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ClientEventDocument, clientEventId } from '../../../projections/client-events/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues/event-queues.projection.js';
import { Directory } from '../../../src/directory/directory.js';
import { ROLES } from '../../../src/events/shared/role.js';
import { isFor, isPublicMessageFor } from '../../../src/features/event-queues/queries/audience.js';
import { type WaitingPoll, WaitingPolls } from '../../../src/features/event-queues/services/waiting-polls.js';
import { eventually } from '../../support/eventually.js';

const USERS = 5;
const CHANNELS = 3;

const queueOf = (userId: number, changes: Partial<EventQueueDocument> = {}): EventQueueDocument => ({
  _id: `queue ${userId}`,
  userId,
  eventTypes: null,
  narrow: { required: [], excluded: [] },
  allPublicChannels: false,
  applyMarkdown: false,
  clientGravatar: true,
  slimPresence: false,
  includeSubscribers: false,
  clientCapabilities: {},
  statePositions: {},
  startsAfter: 0,
  registeredAt: 0,
  position: 0,
  ...changes,
});

const interval = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }), fc.boolean())
  .map(([a, b, open]) => ({ from: Math.min(a, b), to: open ? null : Math.max(a, b) + 1 }));

const subscription = fc.record({
  userId: fc.integer({ min: 1, max: USERS }),
  channelId: fc.integer({ min: 1, max: CHANNELS }),
  interval,
});

const ids = fc.uniqueArray(fc.integer({ min: 1, max: USERS }), { maxLength: 3 });
const roles = fc.uniqueArray(fc.constantFrom(...Object.values(ROLES)), { maxLength: 3 });
const audience = fc.oneof(
  fc.record({ subscribersOf: fc.integer({ min: 1, max: CHANNELS }) }),
  fc.record({ userIds: ids }),
  fc.record(
    {
      everyone: fc.constant(true as const),
      roles,
      subscribersOf: fc.integer({ min: 1, max: CHANNELS }),
      userIds: ids,
      exceptUserIds: ids,
      exceptRoles: roles,
    },
    { requiredKeys: [] },
  ),
);

const event = (position: number, rule: ClientEventDocument['audience'], isPublic: boolean): ClientEventDocument => ({
  _id: clientEventId(position, 0),
  kind: 'message',
  position: 1,
  part: 'messages',
  audience: rule,
  at: 0,
  payload: {
    messageId: position,
    senderId: 1,
    readBySender: false,
    recipient: { type: 'channel', channelId: 1, topic: 't', isPublic },
    localEcho: null,
  },
});

function directoryOf(subscriptions: readonly { userId: number; channelId: number; interval: object }[]): Directory {
  const directory = new Directory();
  for (let id = 1; id <= USERS; id++) {
    const role = Object.values(ROLES)[id - 1] ?? ROLES.member;
    const email = `u${id}@example.com`;
    const user = { email, emailKey: email, fullName: '', role, isActive: true, createdAt: 0, passwordHash: null };
    const always = { from: 0, to: null };
    const more = { bot: null, specialPermissions: [], profile: {}, roleIntervals: [{ role, ...always }] };
    const record = { ...user, ...more, _id: id, activeIntervals: [always], apiKeys: [], position: 0 };
    directory.put({ kind: 'users', record });
  }
  for (const { userId, channelId, interval: one } of subscriptions) {
    const intervals = [one as { from: number; to: number | null }];
    const record = { _id: `${channelId}/${userId}`, channelId, userId, intervals, settings: {}, position: 0 };
    directory.put({ kind: 'subscriptions', record });
  }
  return directory;
}

/** A poll that keeps the events it was woken with. */
function pollOf(queue: EventQueueDocument): WaitingPoll & { readonly woken: (readonly ClientEventDocument[])[] } {
  const woken: (readonly ClientEventDocument[])[] = [];
  const wake = (events: readonly ClientEventDocument[]) => void woken.push(events);
  return { queue, passes: (one) => one._id % 7 !== 0, wake, nudge: () => void woken.push([]), woken };
}

describe('waiting polls', () => {
  it('are woken with exactly the events of their audience rules, in order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(subscription, { maxLength: 12 }),
        fc.array(fc.tuple(audience, fc.boolean()), { minLength: 1, maxLength: 20 }),
        fc.boolean(),
        async (subscriptions, rules, allPublicChannels) => {
          const directory = directoryOf(subscriptions);
          const waiting = new WaitingPolls(directory);
          const polls = Array.from({ length: USERS }, (_, index) => pollOf(queueOf(index + 1, { allPublicChannels })));
          for (const poll of polls) waiting.add(poll);
          const events = rules.map(([rule, isPublic], index) => event(index + 3, rule, isPublic));
          waiting.onEvents(events);
          for (const { queue, passes, woken } of polls) {
            const expected = events.filter(
              (one) =>
                passes(one) &&
                (isFor(queue.userId, one, directory) ||
                  (allPublicChannels && isPublicMessageFor(queue.userId, one, directory))),
            );
            expect(woken).toEqual(expected.length > 0 ? [expected] : []);
          }
        },
      ),
      { numRuns: 300 },
    ));

  it('are woken once, a few at a time, so that other work can run in between', async () => {
    const waiting = new WaitingPolls(directoryOf([]));
    const polls = Array.from({ length: 100 }, (_, index) => pollOf(queueOf(1, { _id: `queue ${index}` })));
    for (const poll of polls) waiting.add(poll);
    const first = event(3, { userIds: [1] }, false);
    waiting.onEvents([first]);
    const left = () => polls.filter(({ woken }) => woken.length > 0).length;
    expect(waiting.isEmpty).toBe(true);
    expect(left()).toBeLessThan(100);
    waiting.onEvents([event(4, { userIds: [1] }, false)]);
    await eventually(() => expect(left()).toBe(100));
    expect(polls.map(({ woken }) => woken)).toEqual(polls.map(() => [[first]]));
  });

  it('begin at once, and a few at a time after those that have their events are answered', async () => {
    const waiting = new WaitingPolls(directoryOf([]));
    const polls = Array.from({ length: 100 }, (_, index) => pollOf(queueOf(1, { _id: `queue ${index}` })));
    const order: string[] = [];
    for (const poll of polls) waiting.begin(() => waiting.add(poll));
    expect(waiting.size).toBe(100);
    waiting.onEvents([event(3, { userIds: [1] }, false)]);
    for (const poll of polls) waiting.begin(() => order.push(`${poll.queue._id} after ${left()}`));
    const left = () => polls.filter(({ woken }) => woken.length > 0).length;
    expect(order).toEqual([]);
    while (order.length === 0) await setImmediate();
    expect(order.length).toBeLessThan(100);
    await eventually(() => expect(order).toEqual(polls.map(({ queue }) => `${queue._id} after 100`)));
    waiting.begin(() => order.push('later'));
    expect(order.at(-1)).toBe('later');
  });

  it('end without events: the older of two of a queue, all when the server closes, and later ones', () => {
    const waiting = new WaitingPolls(directoryOf([]));
    const [older, newer, other, late] = [
      pollOf(queueOf(1)),
      pollOf(queueOf(1)),
      pollOf(queueOf(2)),
      pollOf(queueOf(3)),
    ];
    waiting.add(older);
    waiting.add(newer);
    expect([older.woken, newer.woken]).toEqual([[[]], []]);
    waiting.letGo(older);
    waiting.add(other);
    expect(waiting.size).toBe(2);
    waiting.close();
    waiting.add(late);
    for (const poll of [older, newer, other, late]) expect(poll.woken).toEqual([[]]);
    expect(waiting.isEmpty).toBe(true);
  });
});
