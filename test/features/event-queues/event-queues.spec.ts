import { describe, expect, it } from '@jest/globals';
import {
  DeleteQueue,
  decideDeleteQueue,
  decideExpireQueue,
  decideRegisterQueue,
  ExpireQueue,
  RegisterQueue,
} from '../../../src/features/event-queues/domain/event-queues.js';
import { outcomeOf } from '../../support/events/given.js';

const by = { actorId: 7, client: 'test', correlationId: 'c' };

const queue = {
  eventTypes: ['message'],
  narrow: { required: [{ kind: 'channel', channelId: 3 }], excluded: [] },
  allPublicChannels: false,
  applyMarkdown: true,
  clientGravatar: true,
  slimPresence: false,
  includeSubscribers: false,
  clientCapabilities: { empty_topic_name: true },
} as const;

describe('registering a queue', () => {
  const facts = { queueId: 'q', isGuest: false, statePositions: { organization: 12, messages: 9 } };

  it('starts the queue at the lowest position of all parts of the state', () => {
    outcomeOf(() =>
      decideRegisterQueue(
        new RegisterQueue({ userId: 7, queue, fetchTypes: null, presenceHistoryDays: null, by }),
        undefined,
        facts,
      ),
    ).then([
      {
        type: 'QueueRegistered',
        data: {
          queueId: 'q',
          userId: 7,
          ...queue,
          statePositions: { organization: 12, messages: 9 },
          startsAfter: 9,
        },
      },
    ]);
  });

  it('refuses guests a queue over all public channels', () => {
    const command = new RegisterQueue({
      userId: 7,
      queue: { ...queue, allPublicChannels: true },
      fetchTypes: null,
      presenceHistoryDays: null,
      by,
    });
    const guest = { ...facts, isGuest: true };
    outcomeOf(() => decideRegisterQueue(command, undefined, guest)).thenRefuses('NOT_AUTHORIZED_FOR_QUERY');
    expect(decideRegisterQueue(command, undefined, facts)).toHaveLength(1);
  });
});

describe('deleting a queue', () => {
  const decide = (ownerId: number | null) =>
    outcomeOf(() => decideDeleteQueue(new DeleteQueue({ queueId: 'q', userId: 7, by }), undefined, { ownerId }));

  it('is allowed to its owner', () => decide(7).then([{ type: 'QueueDeleted', data: { queueId: 'q' } }]));

  it.each([
    ['it belongs to another user', 8],
    ['it is unknown', null],
  ])('is refused if %s', (_, ownerId) => decide(ownerId).thenRefuses('BAD_EVENT_QUEUE_ID', { queue_id: 'q' }));
});

describe('expiring a queue', () => {
  const decide = (idleFor: number) =>
    outcomeOf(() => decideExpireQueue(new ExpireQueue({ queueId: 'q', by }), undefined, { idleFor, limit: 1000 }));

  it('expires a queue that is idle for longer than the limit', () =>
    decide(1001).then([{ type: 'QueueExpired', data: { queueId: 'q' } }]));
  it('keeps queues that were polled meanwhile', () => decide(1000).thenNothing());
});
