import { describe, expect, it } from '@jest/globals';
import { audit } from '../../../projections/audit/audit.projection.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { history, type InHistory } from '../../support/events/history.js';
import { move } from '../../support/events/moves.js';
import { userCreated } from '../../support/events/users.js';
import { projected } from '../../support/projections/projected.js';

const sent = (recipient: object, data: object = {}): DomainEvent => ({
  type: 'MessageSent',
  data: { senderId: 1, recipient, readBySender: true, localEcho: null, sendKey: null, content: null, ...data },
});
const toTopic = (channelId: number, topic: string, data: object = {}): InHistory => [
  'messages',
  sent({ type: 'channel', channelId, topic }, data),
  { actorId: 1 },
];
const documentsOf = (...entries: InHistory[]) => projected(audit, history(...entries));
const eventsOf = async (...entries: InHistory[]) => (await documentsOf(...entries)).events ?? [];

describe('the audit projection', () => {
  it('handles every type of event, and no command waits for it', () => {
    expect(Object.keys(audit.on).sort()).toEqual([...eventRegistry.keys()].sort());
    expect(audit.awaited).toBe(false);
  });

  it('has a small document for each event, without what was written', async () => {
    const at = 1_700_000_000_000;
    expect(await eventsOf(toTopic(3, 'Lunch'), ['users', userCreated(1, { channelIds: [3] })])).toEqual([
      {
        _id: 1,
        id: '00000000-0000-4000-8000-000000000001',
        stream: 'messages',
        revision: 0,
        type: 'MessageSent',
        at: at + 1000,
        actorId: 1,
        client: 'test',
        about: ['c3', 't3/lunch'],
      },
      {
        _id: 2,
        id: '00000000-0000-4000-8000-000000000002',
        stream: 'users',
        revision: 0,
        type: 'UserCreated',
        at: at + 2000,
        client: 'test',
        about: ['u1', 'c3'],
      },
    ]);
  });

  it('has readings of a message apart from what happened to it', async () => {
    const data = { channelIds: [3], conversations: [[1, 2]], messageIds: [7, 8], count: 2 };
    const [reading] = await eventsOf(['accesses', { type: 'AuditWordsRead', data }]);
    expect(reading).toMatchObject({ about: ['u1', 'u2', 'c3', 'r7', 'r8'] });
  });

  it('finds a send by its conversation, and by a sender who did not send it themselves', async () => {
    const events = await eventsOf(
      ['messages', sent({ type: 'direct', userIds: [1, 2] }), { actorId: 1 }],
      ['messages', sent({ type: 'channel', channelId: 3, topic: '' })],
      toTopic(3, 't', { newFollowerIds: [5], calledBotIds: [9] }),
    );
    expect(events.map((event) => Reflect.get(event, 'about'))).toEqual([
      ['u1', 'u2'],
      ['u1', 'c3', 't3/'],
      ['u5', 'u9', 'c3', 't3/t'],
    ]);
  });

  it('finds a move by its message, by both topics, and by the topic that several messages leave', async () => {
    const data = move({ channelId: 3, topic: 'Old' }, { channelId: 4, topic: 'New' }, { anchorId: 7 });
    const one = { ...data, propagateMode: 'change_one' };
    const [whole, single] = await eventsOf(
      ['topics-3', { type: 'MessagesMoved', data }],
      ['topics-3', { type: 'MessagesMoved', data: one }],
    );
    const about = ['c3', 'c4', 't3/old', 't4/new', 'm7'];
    expect(whole).toMatchObject({ about, movesFrom: 't3/old' });
    expect(single).toMatchObject({ about });
    expect(single).not.toHaveProperty('movesFrom');
  });

  it('keeps each name and address that an account or a channel has had, from when on', async () => {
    const { names } = await documentsOf(
      ['users', userCreated(1, { fullName: 'Ada', email: 'Ada@example.com' })],
      ['users', { type: 'UserRenamed', data: { userId: 1, from: 'Ada', to: 'Ada L.' } }],
      ['users', { type: 'UserEmailChanged', data: { userId: 1, from: 'Ada@example.com', to: 'l@example.com' } }],
      ['channels', { type: 'ChannelRenamed', data: { channelId: 1, from: 'a', to: 'B' } }],
    );
    expect(names).toEqual([
      { _id: '1/email', holder: 'u1', kind: 'email', value: 'Ada@example.com', key: 'ada@example.com', position: 1 },
      { _id: '1/name', holder: 'u1', kind: 'name', value: 'Ada', key: 'ada', position: 1 },
      { _id: '2/name', holder: 'u1', kind: 'name', value: 'Ada L.', key: 'ada l.', position: 2 },
      { _id: '3/email', holder: 'u1', kind: 'email', value: 'l@example.com', key: 'l@example.com', position: 3 },
      { _id: '4/name', holder: 'c1', kind: 'name', value: 'B', key: 'b', position: 4 },
    ]);
  });

  it('notes where an hour begins in the log, also if a clock goes back', async () => {
    const hour = 3_600_000;
    const times = [0, 1, hour, 2 * hour, hour + 1, hour + 2, 2 * hour];
    const { hours } = await documentsOf(
      ...times.map((at): InHistory => ['users', userCreated(1), { at: 480_000 * hour + at }]),
    );
    expect(hours).toEqual([
      { _id: 1, hour: 480_000 },
      { _id: 3, hour: 480_001 },
      { _id: 4, hour: 480_002 },
      { _id: 5, hour: 480_001 },
      { _id: 7, hour: 480_002 },
    ]);
  });
});
