import { expect, it } from '@jest/globals';
import { projections } from '../../projections/index.js';
import type { MessageDocument } from '../../projections/messages/messages.projection.js';
import { applyEvents } from '../../projections/runner/apply-events.js';
import type { DocumentTransaction, StoredDocument } from '../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../src/platform/documents/sqlite/sqlite-document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { Projection } from '../../src/platform/read-models/projection.js';
import { history, type InHistory } from '../support/events/history.js';
import { userCreated } from '../support/projections/roster.js';
import { withScratch } from '../support/scratch.js';
import { History } from './messages/messages-history.js';

it.each(projections.map((projection) => [projection.name, projection] as const))(
  'the projection %s reads the store as often for a batch of many events as for one of few',
  async (_, projection) => {
    for (const happened of [joined, written, answered, changed, kept, read]) {
      expect(await queries(projection, happened(12))).toBe(await queries(projection, happened(3)));
    }
  },
);

type Happened = readonly [before: readonly Recorded[], batch: readonly Recorded[]];

/** New accounts. */
const joined = (count: number): Happened => {
  const past = new History();
  const channel = past.channel();
  const before = past.events.length;
  past.subscribe(channel, ...Array.from({ length: count }, () => past.user()));
  return [past.events.slice(0, before), past.events.slice(before)];
};

/** Each user writes in a topic of their own. */
const written = (count: number): Happened => {
  const past = new History();
  const channel = past.channel();
  const users = Array.from({ length: count }, () => past.user());
  const before = past.events.length;
  for (const user of users) {
    past.post(user, channel, `topic ${user._id}`, { sendKey: { id: `key ${user._id}`, kind: 'local-id', digest: '' } });
    past.whisper(user, []);
  }
  return [past.events.slice(0, before), past.events.slice(before)];
};

/** One user reacts to many messages, each in a topic of its own. */
const answered = (count: number): Happened => {
  const past = posted(count);
  const reactions = past.documents.map((message): InHistory => {
    const data = { ...placeOf(message), userId: 1, emojiName: 'smile', emojiCode: '1f604' };
    return [`message-${message._id}`, { type: 'ReactionAdded', data: { ...data, reactionType: 'unicode_emoji' } }];
  });
  return [past.events, after(past.events, reactions)];
};

/** The first message is moved, and then each of the others is edited. */
const changed = (count: number): Happened => {
  const past = posted(count);
  const [first, ...others] = past.documents;
  if (!first) throw new Error('there is no message');
  const { place: from } = placeOf(first);
  const move = { anchorId: first._id, propagateMode: 'change_one', from, to: { ...from, topic: 'elsewhere' } };
  const about = { reach: null, messageCount: 1, isWholeTopic: true, notices: { oldThread: false, newThread: false } };
  const content = { text: 'w', rendered: '<p>w</p>', rendererVersion: 1, previousSha256: '' };
  const lives = others.map((message): InHistory => {
    const data = { ...placeOf(message), previousContentRevision: 0, contentRevision: 1, content };
    return [`message-${message._id}`, { type: 'MessageEdited', data }];
  });
  const moved: InHistory = [`topics-${from.channelId}`, { type: 'MessagesMoved', data: { ...move, ...about } }];
  return [past.events, after(past.events, [moved, ...lives])];
};

function posted(count: number): History {
  const past = new History();
  const channel = past.channel();
  const user = past.user();
  for (let n = 0; n < count; n++) past.post(user, channel, `topic ${n}`);
  return past;
}

function placeOf({ _id: messageId, ...message }: MessageDocument) {
  if (message.type !== 'channel') throw new Error('it is in no channel');
  const { channelId, topic } = message;
  return { messageId, place: { type: 'channel', channelId, topic } } as const;
}

/** Users change their alert words, muted users, read messages and stars. */
const kept = (count: number): Happened => {
  const userIds = Array.from({ length: count }, (_, index) => index + 1);
  const before = history(...userIds.map((userId): InHistory => ['users', userCreated(userId)]));
  const own = userIds.flatMap((userId): InHistory[] => [
    [`personal-${userId}`, { type: 'AlertWordsAdded', data: { userId, words: ['tea'] } }],
    [`personal-${userId}`, { type: 'UserMuted', data: { userId, mutedUserId: userId === 1 ? 2 : 1 } }],
    [`read-state-${userId}`, { type: 'FlagsAdded', data: { userId, flag: 'read', ranges: [[1, 5]] } }],
    [`read-state-${userId}`, { type: 'FlagsAdded', data: { userId, flag: 'starred', ranges: [[2, 3]] } }],
  ]);
  return [before, after(before, own)];
};

/** One user marks everything as read. Then each of the others reads some more messages. */
const read = (count: number): Happened => {
  const reading = (userId: number, to: number): InHistory => [
    `read-state-${userId}`,
    { type: 'FlagsAdded', data: { userId, flag: 'read', ranges: [[1, to]] } },
  ];
  const userIds = Array.from({ length: count }, (_, index) => index + 2);
  const before = history(...userIds.map((userId) => reading(userId, 5)));
  const all: InHistory = ['read-state-1', { type: 'AllMessagesRead', data: { userId: 1 } }];
  return [before, after(before, [all, ...userIds.map((userId) => reading(userId, 9))])];
};

const after = (before: readonly Recorded[], events: readonly InHistory[]): readonly Recorded[] => {
  const last = before.at(-1);
  return history(...events).map((event) => ({
    ...event,
    position: event.position + (last?.position ?? 0),
    metadata: { ...event.metadata, at: last?.metadata.at ?? 0 },
  }));
};

/** Counts the queries that the projection makes for the batch. */
const queries = (projection: Projection, [before, batch]: Happened): Promise<number> =>
  withScratch(async (directory) => {
    const store = await SqliteDocumentStore.open(directory);
    const database = await store.database('counted');
    await database.ensure(projection.collections);
    await database.transaction((transaction) => applyEvents(projection, transaction, before));
    let count = 0;
    const counted = (transaction: DocumentTransaction): DocumentTransaction => ({
      writeAll: transaction.writeAll.bind(transaction),
      setCheckpoint: transaction.setCheckpoint.bind(transaction),
      collection: <D extends StoredDocument>(name: string) => {
        const collection = transaction.collection<D>(name);
        const [findOne, find] = [collection.findOne.bind(collection), collection.find.bind(collection)];
        collection.findOne = (...asked) => {
          count++;
          return findOne(...asked);
        };
        collection.find = (...asked) => {
          count++;
          return find(...asked);
        };
        return collection;
      },
    });
    await database.transaction((transaction) => applyEvents(projection, counted(transaction), batch));
    await store.close();
    return count;
  });
