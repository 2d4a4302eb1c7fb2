import { describe, expect, it } from '@jest/globals';
import { type ClientEventDocument, clientEventId } from '../../../projections/client-events/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues/event-queues.projection.js';
import { Directory } from '../../../src/directory/directory.js';
import { type QueueFilter, queueFilter } from '../../../src/features/event-queues/queries/audience.js';
import { MessageNarrowing } from '../../../src/features/messages/client-events/message-narrowing.js';

const queue = (changes: Partial<EventQueueDocument> = {}): EventQueueDocument => ({
  _id: 'q',
  userId: 1,
  eventTypes: null,
  narrow: { required: [], excluded: [] },
  allPublicChannels: false,
  applyMarkdown: false,
  clientGravatar: true,
  slimPresence: false,
  includeSubscribers: false,
  clientCapabilities: {},
  statePositions: { organization: 10, messages: 5 },
  startsAfter: 5,
  registeredAt: 0,
  position: 11,
  ...changes,
});

const message = (position: number, changes: object = {}): ClientEventDocument => ({
  _id: clientEventId(position, 0),
  kind: 'message',
  position: 1,
  part: 'messages',
  audience: { subscribersOf: 4 },
  at: 0,
  payload: {
    messageId: position,
    senderId: 2,
    readBySender: false,
    recipient: { type: 'channel', channelId: 4, topic: 'Lunch', isPublic: true },
    localEcho: null,
    ...changes,
  },
});

const account = (position: number): ClientEventDocument => ({
  _id: clientEventId(position, 0),
  kind: 'realm_user/update',
  position: 1,
  part: 'organization',
  audience: { everyone: true },
  at: 0,
  payload: { body: { person: { user_id: 3, is_active: false } } },
});

const narrowing = new MessageNarrowing(new Directory());
const filterOf = (registered: EventQueueDocument): QueueFilter =>
  queueFilter(registered, { narrowing, replacedBy: new Map() });

describe('the filter of a queue', () => {
  it('passes events after the registered state, for each part of it', () => {
    const passes = filterOf(queue());
    expect([4, 5, 6].map((position) => passes(message(position)))).toEqual([false, false, true]);
    expect([6, 10, 11].map((position) => passes(account(position)))).toEqual([false, false, true]);
  });

  it('passes events after the start of the queue for parts that are newer than the queue', () => {
    const passes = filterOf(queue({ statePositions: { organization: 10 } }));
    expect([5, 6].map((position) => passes(message(position)))).toEqual([false, true]);
  });

  it('passes events of the types asked for, whatever the op', () => {
    expect(filterOf(queue({ eventTypes: ['realm_user'] }))(account(20))).toBe(true);
    expect(filterOf(queue({ eventTypes: ['realm_user'] }))(message(20))).toBe(false);
    expect(filterOf(queue({ eventTypes: [] }))(account(20))).toBe(false);
  });

  it.each([
    ['its channel', [{ kind: 'channel', channelId: 4 }], true],
    ['another channel', [{ kind: 'channel', channelId: 5 }], false],
    ['its topic in any case', [{ kind: 'topic', topicKey: 'lunch' }], true],
    ['another sender', [{ kind: 'sender', userId: 9 }], false],
    ['direct messages', [{ kind: 'direct' }], false],
  ] as const)('narrows messages and no other events: %s', (_, required, expected) => {
    const passes = filterOf(queue({ narrow: { required, excluded: [] } }));
    expect(passes(message(20))).toBe(expected);
    expect(passes(account(20))).toBe(true);
  });

  it('narrows to a conversation, or to all but a conversation', () => {
    const direct = message(20, { recipient: { type: 'direct', userIds: [1, 2] } });
    const conversation = [{ kind: 'conversation', dmKey: '1,2' }] as const;
    expect(filterOf(queue({ narrow: { required: conversation, excluded: [] } }))(direct)).toBe(true);
    expect(filterOf(queue({ narrow: { required: [], excluded: conversation } }))(direct)).toBe(false);
  });
});
