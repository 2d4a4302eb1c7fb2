import { describe, expect, it } from '@jest/globals';
import { subscriptionAdd } from '../../../projections/client-events/channels.js';
import {
  type ClientEventDocument,
  clientEventId,
  positionOf,
} from '../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import type { RetentionDocument } from '../../../projections/client-events/client-events.retention.js';
import { ROLES } from '../../../src/events/shared/role.js';
import { channelData } from '../../support/events/events.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const userCreated = (userId: number): InHistory => [
  'users',
  {
    type: 'UserCreated',
    data: {
      userId,
      email: `u${userId}@example.com`,
      fullName: `U ${userId}`,
      role: ROLES.member,
      passwordHash: 'secret',
      channelIds: [],
    },
  },
];

const channelCreated = (channelId: number, inviteOnly: boolean): InHistory => [
  'channels',
  {
    type: 'ChannelCreated',
    data: channelData(channelId, { inviteOnly, historyPublicToSubscribers: !inviteOnly }),
  },
];

const subscribed = (channelId: number, userIds: number[]): InHistory => [
  `subscriptions-${channelId}`,
  { type: 'UsersSubscribed', data: { channelId, userIds } },
];

const unsubscribed = (channelId: number, userIds: number[]): InHistory => [
  `subscriptions-${channelId}`,
  { type: 'UsersUnsubscribed', data: { channelId, userIds } },
];

const sent = (recipient: object, changes: object = {}, at?: number): InHistory => [
  'messages',
  {
    type: 'MessageSent',
    data: {
      senderId: 1,
      recipient,
      readBySender: true,
      localEcho: null,
      sendKey: null,
      content: { text: 'the words', rendered: '<p>the words</p>', rendererVersion: 1 },
      ...changes,
    },
  },
  at === undefined ? {} : { at },
];

const toChannel = (channelId: number, topic = 't') => ({ type: 'channel', channelId, topic });

async function feed(...entries: InHistory[]): Promise<ClientEventDocument[]> {
  const { events } = await projected(clientEvents, history(...entries));
  return events as unknown as ClientEventDocument[];
}

describe('the client-event feed', () => {
  it('names a message, its conversation and its audience, and does not hold its content', async () => {
    const events = await feed(
      channelCreated(4, false),
      sent(toChannel(4, 'lunch'), { localEcho: { queueId: 'q', localId: '1.5' } }),
      sent({ type: 'direct', userIds: [1, 2] }),
    );
    const messages = events.filter(({ kind }) => kind === 'message');
    expect(messages).toMatchObject([
      {
        part: 'messages',
        audience: { subscribersOf: 4 },
        payload: {
          messageId: 1,
          senderId: 1,
          recipient: { type: 'channel', channelId: 4, topic: 'lunch', isPublic: true },
          localEcho: { queueId: 'q', localId: '1.5' },
        },
      },
      {
        audience: { userIds: [1, 2] },
        payload: { messageId: 2, recipient: { type: 'direct', userIds: [1, 2] }, localEcho: null },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('words');
  });

  it('numbers client events by position in the log and rank, in order', async () => {
    const events = await feed(channelCreated(4, true), subscribed(4, [2]), unsubscribed(4, [2]));
    const positions = events.map(({ _id }) => Math.floor(_id / 4096));
    expect(positions).toEqual([1, 2, 2, 2, 3, 3, 3, 3]);
    expect(events.map(({ kind }) => kind)).toEqual([
      'stream/create',
      'stream/create',
      'subscription/add',
      'subscription/peer_add',
      'subscription/remove',
      'subscription/peer_remove',
      'stream/delete',
      'update_message_flags/lost',
    ]);
  });

  it('keeps the recorded ranks, because clients hold ids that are made of them', async () => {
    const events = await feed(
      userCreated(1),
      channelCreated(4, false),
      subscribed(4, [1]),
      sent(toChannel(4)),
      unsubscribed(4, [1]),
      ['users', { type: 'UserDeactivated', data: { userId: 1 } }],
    );
    expect(
      Object.fromEntries(events.map(({ kind, _id }) => [`${kind} @${Math.floor(_id / 4096)}`, _id % 4096])),
    ).toEqual({
      'realm_user/add @1': 1024,
      'user_group/add_members @1': 3137,
      'stream/create @2': 512,
      'stream/create @3': 512,
      'subscription/add @3': 1024,
      'subscription/peer_add @3': 2048,
      'message @4': 1024,
      'stream/update @4': 2048,
      'subscription/remove @5': 1024,
      'subscription/peer_remove @5': 2048,
      'stream/delete @5': 3072,
      'update_message_flags/lost @5': 3712,
      'subscription/gone @6': 896,
      'realm_user/update @6': 1024,
    });
  });

  it('has accounts without their password hashes', async () => {
    const events = await feed(userCreated(9), ['users', { type: 'UserDeactivated', data: { userId: 9 } }]);
    expect(events.filter(({ kind }) => kind.startsWith('realm_user/'))).toMatchObject([
      { kind: 'realm_user/add', audience: { everyone: true }, payload: { user: { _id: 9, fullName: 'U 9' } } },
      {
        kind: 'realm_user/update',
        audience: { everyone: true },
        payload: { body: { person: { user_id: 9, is_active: false } } },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('addresses events of a channel to the users who see it, and to those for whom it appears or disappears', async () => {
    const everyRoleButGuests = [100, 200, 300, 400];
    const administrators = [100, 200];
    const of = async (inviteOnly: boolean) =>
      (await feed(channelCreated(4, inviteOnly), subscribed(4, [2]), unsubscribed(4, [2]))).map((event) => [
        event.kind,
        {
          ...event.audience,
          roles: event.audience.roles?.toSorted(),
          except: event.audience.except && {
            ...event.audience.except,
            roles: event.audience.except.roles?.toSorted(),
          },
        },
      ]);
    const expected = (seers: object) => [
      ['stream/create', seers],
      ['stream/create', { userIds: [2], except: seers }],
      ['subscription/add', { userIds: [2] }],
      ['subscription/peer_add', { ...seers, subscribersOf: 4, except: { userIds: [2] } }],
      ['subscription/remove', { userIds: [2] }],
      ['subscription/peer_remove', { ...seers, subscribersOf: 4, except: { userIds: [2] } }],
      ['stream/delete', { userIds: [2], except: seers }],
      ['update_message_flags/lost', { userIds: [2] }],
    ];
    const creator = { direct_members: [1], direct_subgroups: [] };
    expect(await of(false)).toEqual(expected({ roles: everyRoleButGuests, groups: [] }));
    expect(await of(true)).toEqual(expected({ roles: administrators, groups: [creator] }));
  });

  it('has a channel as of the event, including its first message', async () => {
    const events = await feed(channelCreated(4, false), subscribed(4, [1]), sent(toChannel(4)), subscribed(4, [2]));
    const firsts = events.flatMap((event) => (subscriptionAdd.is(event) ? [event.payload.channel.firstMessageId] : []));
    expect(firsts).toEqual([null, 1]);
    expect(events.filter(({ kind }) => kind === 'stream/update')).toMatchObject([
      { payload: { body: { stream_id: 4, name: 'channel 4', property: 'first_message_id', value: 1 } } },
    ]);
  });

  it('writes the same document for a message, however many subscribers there are', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => index + 1);
    const message = async (userIds: number[]) =>
      (await feed(channelCreated(4, false), subscribed(4, userIds), sent(toChannel(4)))).filter(
        ({ kind }) => kind === 'message',
      );
    expect(await message(many)).toEqual(await message([1]));
  });

  describe('removal of client events after 30 days', () => {
    const start = 20_000 * DAY;
    const sentAt = (at: number) => sent({ type: 'direct', userIds: [1] }, {}, at);
    const positions = async (...times: number[]) =>
      (await feed(...times.map(sentAt))).map(({ _id }) => Math.floor(_id / 4096));

    it('counts from the newest event, in whole hours', async () => {
      expect(await positions(start, start + DAY, start + 30 * DAY + HOUR - 1)).toEqual([1, 2, 3]);
      expect(await positions(start, start + DAY, start + 30 * DAY + HOUR)).toEqual([2, 3]);
      expect(await positions(start, start + DAY, start + 90 * DAY)).toEqual([3]);
    });

    it('happens also if a clock goes back', async () => {
      expect(await positions(start, start + DAY, start + 31 * DAY + HOUR, start, start + HOUR)).toEqual([3, 4, 5]);
    });

    it('records the newest removed position, also in a log that skips positions', async () => {
      const forgotten = async (skipped: number, ...times: number[]) => {
        const events = history(userCreated(1), ...times.map(sentAt)).map((event) => ({
          ...event,
          position: event.position * (1 + skipped),
        }));
        const { retention } = await projected(clientEvents, events);
        const { forgottenThrough = null } = (retention?.[0] as RetentionDocument | undefined) ?? {};
        return forgottenThrough === null ? null : positionOf(forgottenThrough);
      };
      const now = 1_700_000_000_000;
      expect(await forgotten(0)).toBe(0);
      expect(await forgotten(0, now + DAY)).toBe(0);
      expect(await forgotten(0, now + DAY, now + 32 * DAY)).toBe(2);
      expect(await forgotten(99, now + DAY, now + 32 * DAY)).toBe(200);
      expect(await forgotten(99, now + DAY, now + 32 * DAY, now + 33 * DAY)).toBe(200);
    });

    it('holds when removed events are applied again', async () => {
      const events = history(sentAt(start), sentAt(start + DAY), sentAt(start + 60 * DAY));
      const once = await projected(clientEvents, events);
      const again = await projected(clientEvents, [...events, ...events]);
      expect(again).toEqual(once);
    });
  });

  it('has ids below 2^53 for every position of a log', () => {
    expect(clientEventId(2 ** 41 - 1, 4095)).toBe(Number.MAX_SAFE_INTEGER);
  });
});
