import { describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import type { Recipient } from '../../../src/events/messages/messages.events.js';
import { leftBehind } from '../../../src/features/read-state/consequences/left-behind.js';
import { mutedSender } from '../../../src/features/read-state/consequences/muted-sender.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import type { EventStore } from '../../../src/platform/log/event-store.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { channelData } from '../../support/events/events.js';
import { history, type InHistory } from '../../support/events/history.js';
import { move } from '../../support/events/moves.js';
import { AppliedByHand } from '../../support/projections/applied-by-hand.js';
import { withScratch } from '../../support/scratch.js';

const [READER, AUTHOR] = [1, 2];
const [A, P, Q] = [1, 2, 3];

const created = (channelId: number): InHistory => [
  'channels',
  { type: 'ChannelCreated', data: channelData(channelId, { name: `channel ${channelId}`, subscriberIds: [] }) },
];
const joins = (channelId: number, userId = READER): InHistory => [
  `subscriptions-${channelId}`,
  { type: 'UsersSubscribed', data: { channelId, userIds: [userId] } },
];
const leaves = (channelId: number, ...userIds: number[]): InHistory => [
  `subscriptions-${channelId}`,
  { type: 'UsersUnsubscribed', data: { channelId, userIds: userIds.length > 0 ? userIds : [READER] } },
];
const sends = (recipient: Recipient, senderId = AUTHOR): InHistory => [
  'messages',
  {
    type: 'MessageSent',
    data: {
      senderId,
      recipient,
      readBySender: true,
      localEcho: null,
      sendKey: null,
      content: { text: 'words', rendered: '<p>words</p>', rendererVersion: 1 },
    },
  },
];
const sendsTo = (channelId: number, senderId = AUTHOR) => sends({ type: 'channel', channelId, topic: 't' }, senderId);
const moves = (from: number, to: number, anchorId = 1): InHistory => [
  `topics-${from}`,
  {
    type: 'MessagesMoved',
    data: move({ channelId: from, topic: 't' }, { channelId: to, topic: 't' }, { anchorId }),
  },
];
const marks = (type: 'FlagsAdded' | 'FlagsRemoved', ...ids: number[]): InHistory => [
  `readState-${READER}`,
  { type, data: { userId: READER, flag: 'read', ranges: ids.map((id) => [id, id]) } },
];
const mutes: InHistory = ['user-1', { type: 'UserMuted', data: { userId: READER, mutedUserId: AUTHOR } }];

const beginning = [created(A), created(P), created(Q), joins(A)];

const by = { actorId: READER, client: 'test', correlationId: 'c' };
const ofNobody: InHistory = ['readState-99', { type: 'AllMessagesRead', data: { userId: 99 } }];

/** The consequence handles its event when the documents know the whole history. */
const given = (...happened: readonly InHistory[]) => handledAfter(happened, []);

/** @param unknown later events, which the documents do not know yet */
function handledAfter(happened: readonly InHistory[], unknown: readonly InHistory[]) {
  const events = history(...happened);
  const handled = (times: number) =>
    withScratch(async (folder) => {
      const [store, documents] = [await SqliteEventStore.open(folder), await SqliteDocumentStore.open(folder)];
      const keys = await SqliteContentKeys.open(folder);
      try {
        const readModels = new AppliedByHand(documents);
        for (const one of new Set([leftBehind, mutedSender].flatMap(({ reads = [] }) => reads))) {
          const known = events.filter(({ type }) => type in one.on);
          await readModels.apply(one, [...known, ...events.slice(-1).filter(({ type }) => !(type in one.on))]);
        }
        const runner = new CommandRunner(store, keys, new EventCodec(keys, eventRegistry));
        const { signal } = new AbortController();
        // In the log, too, these events come after the handled one.
        const inLog = unknown.length > 0 ? [...happened.map(() => ofNobody), ...unknown] : [];
        for (const [stream, event] of inLog) await runner.report(stream, event, by);
        for (let time = 0; time < times; time++) {
          for (const event of events) {
            if (event.type === leftBehind.on) await leftBehind.react(event, runner, readModels, signal);
            if (event.type === mutedSender.on) await mutedSender.react(event, runner, readModels, signal);
          }
        }
        return await appendedTo(store, inLog.length);
      } finally {
        await Promise.all([keys.close(), documents.close(), store.close()]);
      }
    });
  return {
    andUnknownYet: (...more: readonly InHistory[]) => handledAfter(happened, more),
    /** @param expected the ranges of each event, by user */
    thenRead: async (expected: Record<number, unknown>) => {
      expect(await handled(1)).toEqual(expected);
      expect(await handled(2)).toEqual(expected);
    },
  };
}

async function appendedTo(store: EventStore, after: number): Promise<Record<number, unknown>> {
  const { events } = await store.readAll({ after, limit: 1000 });
  const read: Record<number, unknown[]> = {};
  for (const { data, type, metadata } of events) {
    const { userId, flag, ranges } = data as DomainEvent<'', { userId: number; flag: string; ranges: unknown }>['data'];
    expect({ type, flag, isCaused: metadata.causationId !== null }).toEqual({
      type: 'FlagsAdded',
      flag: 'read',
      isCaused: true,
    });
    read[userId] = [...(read[userId] ?? []), ranges];
  }
  return read;
}

describe('a user who leaves a channel', () => {
  it('has no unread message in it', () =>
    given(...beginning, sendsTo(A), sendsTo(A), sendsTo(P), sendsTo(A), marks('FlagsAdded', 2), leaves(A)).thenRead({
      [READER]: [
        [
          [1, 1],
          [4, 4],
        ],
      ],
    }));

  it('gets no event if nothing was unread', () =>
    given(...beginning, sendsTo(A), marks('FlagsAdded', 1), sendsTo(A, READER), leaves(A)).thenRead({}));

  it('gets an event for their own unread messages', () =>
    given(...beginning, sendsTo(A), joins(A, 3), sendsTo(A), leaves(A, READER, 3)).thenRead({
      [READER]: [[[1, 2]]],
      3: [[[2, 2]]],
    }));

  it('gets an event by their own flags, whoever leaves with them', () => {
    const allReadBy4: InHistory = ['readState-4', { type: 'AllMessagesRead', data: { userId: 4 } }];
    const known = [sendsTo(A), sendsTo(A), marks('FlagsAdded', 1), allReadBy4, sendsTo(A)];
    return given(...beginning, joins(A, 3), joins(A, 4), ...known, leaves(A, 3, READER, 5, 4)).thenRead({
      [READER]: [[[2, 3]]],
      3: [[[1, 3]]],
      4: [[[3, 3]]],
    });
  });

  it('gets no event for messages from before they joined or after they left', () =>
    given(created(A), sendsTo(A), joins(A), sendsTo(A), leaves(A), sendsTo(A)).thenRead({ [READER]: [[[2, 2]]] }));

  it('gets an event for messages that they had marked as unread', () =>
    given(created(A), sendsTo(A), joins(A), marks('FlagsRemoved', 1), leaves(A)).thenRead({ [READER]: [[[1, 1]]] }));

  it.each([
    ['a channel that they are in', [joins(P)]],
    ['a channel that they are not in', []],
  ])('gets an event for messages that were moved to %s after they had left', (_, joined) =>
    given(...beginning, ...joined, sendsTo(A), leaves(A), moves(A, P)).thenRead({ [READER]: [[[1, 1]]] }),
  );

  it('gets an event for messages that were moved on, and back', () =>
    given(...beginning, sendsTo(A), sendsTo(A), leaves(A), moves(A, P), moves(P, Q), moves(Q, A)).thenRead({
      [READER]: [[[1, 2]]],
    }));

  it('gets no event for messages that were moved away before they left', () =>
    given(...beginning, joins(P), sendsTo(A), moves(A, P), sendsTo(A), leaves(A)).thenRead({ [READER]: [[[2, 2]]] }));

  it('gets an event for messages that were moved to the channel before', () =>
    given(...beginning, joins(P), sendsTo(P), moves(P, A), leaves(A)).thenRead({ [READER]: [[[1, 1]]] }));

  it('gets no event for messages that were moved to the channel after they left', () =>
    given(...beginning, joins(P), sendsTo(P), leaves(A), moves(P, A)).thenRead({}));

  it('gets an event for messages that were in the channel between two moves when they left', () =>
    given(...beginning, joins(P), sendsTo(P), moves(P, A), leaves(A), moves(A, Q)).thenRead({ [READER]: [[[1, 1]]] }));

  it('keeps unread marks set since, on messages that they can read', () =>
    given(...beginning, joins(P), sendsTo(A), leaves(A), moves(A, P), marks('FlagsRemoved', 1)).thenRead({}));

  it('gets an event for messages of an earlier subscription, too', () =>
    given(...beginning, joins(P), sendsTo(A), moves(A, P), leaves(A), joins(A), moves(P, A), leaves(A)).thenRead({
      [READER]: [[[1, 1]]],
    }));
});

describe('a cause handled again before the documents know later events', () => {
  const messages = [sendsTo(A), sendsTo(A), sendsTo(A)];

  it.each([
    ['a muted user', mutes],
    ['a channel that was left', leaves(A)],
  ])('keeps unread marks set since, for %s', (_, cause) =>
    given(...beginning, ...messages, cause)
      .andUnknownYet(marks('FlagsAdded', 1, 2), marks('FlagsRemoved', 2))
      .thenRead({ [READER]: [[[3, 3]]] }),
  );

  it('appends nothing if all messages are read since', () =>
    given(...beginning, ...messages, mutes)
      .andUnknownYet(['readState-1', { type: 'AllMessagesRead', data: { userId: READER } }])
      .thenRead({}));
});

describe('a user who mutes another', () => {
  const whisper = sends({ type: 'direct', userIds: [READER, AUTHOR] });

  it('has no unread message of theirs, wherever it is', () =>
    given(...beginning, sendsTo(A), sendsTo(A, 3), sendsTo(P), whisper, mutes).thenRead({
      [READER]: [
        [
          [1, 1],
          [4, 4],
        ],
      ],
    }));

  it('gets an event for messages that have been moved since', () =>
    given(...beginning, joins(P), sendsTo(A), mutes, moves(A, P)).thenRead({ [READER]: [[[1, 1]]] }));

  it('gets no event for later messages, or for unread marks set since', () =>
    given(...beginning, sendsTo(A), sendsTo(A), mutes, sendsTo(A), marks('FlagsRemoved', 2)).thenRead({
      [READER]: [[[1, 1]]],
    }));
});
