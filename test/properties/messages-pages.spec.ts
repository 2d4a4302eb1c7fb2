import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MESSAGES, type MessageDocument, messages } from '../../projections/messages/messages.projection.js';
import type { ChannelRecord, UserRecord } from '../../src/directory/directory.records.js';
import { ROLES } from '../../src/events/shared/role.js';
import { firstUnread } from '../../src/features/messages/queries/reading/first-unread.js';
import {
  type MessagePage,
  NEWEST,
  OLDEST,
  type PageRequest,
  readPage,
} from '../../src/features/messages/queries/reading/message-page.js';
import { historyView, readableView } from '../../src/features/messages/queries/reading/message-view.js';
import { type Narrow, type NarrowCondition, unreadIn } from '../../src/features/narrow/domain/narrow-resolve.js';
import type { Collection } from '../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../src/platform/documents/sqlite/sqlite-document-store.js';
import { History, NONE_MOVED_IN, unflagged } from '../projections/messages/messages-history.js';
import { PlayedHistory } from '../projections/played-history.js';

const USERS = [ROLES.owner, ROLES.member, ROLES.member, ROLES.guest] as const;
const CHANNELS = [
  {},
  { inviteOnly: true },
  { inviteOnly: true, historyPublicToSubscribers: false },
  { inviteOnly: true, historyPublicToSubscribers: false },
] as const;

type Step =
  | { readonly do: 'toggle'; readonly user: number; readonly channel: number }
  | {
      readonly do: 'post';
      readonly user: number;
      readonly channel: number;
      readonly topic: string;
      readonly read: boolean;
    }
  | { readonly do: 'whisper'; readonly user: number; readonly others: readonly number[]; readonly read: boolean };

const user = fc.nat({ max: USERS.length - 1 });
const channel = fc.nat({ max: CHANNELS.length - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('toggle' as const), user, channel }),
  fc.record({
    do: fc.constant('post' as const),
    user,
    channel,
    topic: fc.constantFrom('lunch', 'Lunch', ''),
    read: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('whisper' as const),
    user,
    others: fc.array(user, { maxLength: 2 }),
    read: fc.boolean(),
  }),
);

/** Whether the message is missing. The pattern leaves ids with neighbours on both sides, on one side and on none. */
const isGone = ({ _id }: MessageDocument): boolean => _id % 7 === 4 || _id % 11 > 8;

function play(steps: readonly Step[]): PlayedHistory {
  const played = new PlayedHistory(USERS, CHANNELS);
  for (const one of steps) {
    if (one.do === 'whisper') played.whisper(one.user, one.others, { readBySender: one.read });
    else if (one.do === 'post') played.post(one.user, one.channel, one.topic, { readBySender: one.read });
    else played.toggle(one.user, one.channel);
  }
  return played;
}

/** Answers the same requests by looking at every message. */
class Oracle {
  constructor(
    private readonly played: PlayedHistory,
    private readonly reader: UserRecord,
    private readonly narrow: Narrow,
  ) {}

  page({ anchor, numBefore, numAfter, includeAnchor }: PageRequest): Omit<MessagePage, 'messages'> & { ids: number[] } {
    const ids = this.ids(this.narrow.required.some(({ kind }) => kind === 'channel' || kind === 'id'));
    const before =
      anchor === OLDEST ? [] : ids.filter((id) => id < anchor).slice(numBefore === 0 ? ids.length : -numBefore);
    const after = ids.filter((id) => id > anchor).slice(0, numAfter);
    const anchored = includeAnchor && ids.includes(anchor) ? [anchor] : [];
    return {
      ids: [...before, ...anchored, ...after],
      foundAnchor: anchored.length > 0,
      foundOldest: before[0] === undefined ? !ids.some((id) => id < anchor) : before[0] === ids[0],
      foundNewest: after.at(-1) === undefined ? !ids.some((id) => id > anchor) : after.at(-1) === ids.at(-1),
    };
  }

  firstUnread(): number {
    const { directory } = this.played.history;
    const read = (id: number): boolean => {
      const message = this.message(id);
      if (message.senderId === this.reader._id && message.readBySender) return true;
      if (message.type === 'direct') return false;
      const last = directory.subscriptionsOf(this.reader._id).get(message.channelId)?.intervals.at(-1);
      return last === undefined || last.to !== null || message.sentPosition < last.from;
    };
    return this.ids(false).find((id) => !read(id)) ?? NEWEST;
  }

  private ids(wholeHistory: boolean): number[] {
    const { required, excluded } = this.narrow;
    return this.played.history.documents
      .filter((message) => !isGone(message) && this.played.sees(this.reader, message, wholeHistory))
      .filter((message) => required.every((condition) => meets(message, condition)))
      .filter((message) => !excluded.some((condition) => meets(message, condition)))
      .map(({ _id }) => _id);
  }

  private message(id: number): MessageDocument {
    return this.played.history.documents[id - 1] as MessageDocument;
  }
}

function meets(message: MessageDocument, condition: NarrowCondition): boolean {
  switch (condition.kind) {
    case 'channel':
      return message.type === 'channel' && message.channelId === condition.channelId;
    case 'topic':
      return message.type === 'channel' && message.topic.toLowerCase() === condition.topicKey;
    case 'conversation':
      return message.type === 'direct' && message.participants.join(',') === condition.dmKey;
    case 'direct':
      return message.type === 'direct';
    case 'sender':
      return message.senderId === condition.userId;
    case 'id':
      return message._id === condition.messageId;
    default:
      throw new Error(`no flags here: ${condition.kind}`);
  }
}

const all = (...required: NarrowCondition[]): Narrow => ({ required, excluded: [] });
const none = (...excluded: NarrowCondition[]): Narrow => ({ required: [], excluded });

const condition = {
  channel: (channelId: number): NarrowCondition => ({ kind: 'channel', channelId }),
  topic: (topicKey: string): NarrowCondition => ({ kind: 'topic', topicKey }),
  sender: (userId: number): NarrowCondition => ({ kind: 'sender', userId }),
  direct: { kind: 'direct' } as NarrowCondition,
};

const narrowsOf = (readerId: number): readonly Narrow[] => [
  all(),
  ...CHANNELS.map((_, index) => all(condition.channel(index + 1))),
  all(condition.channel(1), condition.topic('lunch')),
  all(condition.channel(4), condition.sender(2)),
  all(condition.channel(1), condition.channel(2)),
  all(condition.topic('lunch')),
  all(condition.topic(''), condition.sender(1)),
  all(condition.sender(1)),
  all(condition.sender(readerId)),
  all(condition.direct),
  all({ kind: 'conversation', dmKey: [...new Set([1, readerId])].sort().join(',') }),
  all({ kind: 'conversation', dmKey: String(readerId) }),
  all({ kind: 'id', messageId: 3 }),
  all({ kind: 'id', messageId: 5 }, condition.channel(3)),
  none(condition.channel(1)),
  none(condition.direct),
  none(condition.topic('lunch'), condition.sender(2)),
  { required: [condition.channel(3)], excluded: [condition.sender(1)] },
];

describe('pages of messages', () => {
  let store: SqliteDocumentStore;
  let collection: Collection<MessageDocument>;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'annals-'));
    store = await SqliteDocumentStore.open(directory);
    const database = await store.database('messages');
    await database.ensure(messages.collections);
    collection = database.collection<MessageDocument>(MESSAGES);
  });

  afterAll(async () => {
    await store.close();
    await rm(directory, { recursive: true });
  });

  it('hold, for every anchor, what a look at every message finds', async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 110, size: 'max' });
    await fc.assert(
      fc.asyncProperty(
        steps,
        user,
        fc.nat({ max: 4 }),
        fc.nat({ max: 4 }),
        fc.boolean(),
        async (happened, who, numBefore, numAfter, includeAnchor) => {
          const played = play(happened);
          await fill(played.history.documents);
          const reader = played.users[who] as UserRecord;
          for (const narrow of narrowsOf(reader._id))
            await compare(played, reader, narrow, { numBefore, numAfter, includeAnchor });
        },
      ),
      { numRuns: 25 },
    );
  });

  it('are complete if the reader has more channels than are worth an index scan each', async () => {
    const history = new History();
    const [reader, author] = [history.user(), history.user()];
    const channels = Array.from({ length: 130 }, (_, index) => history.channel({ inviteOnly: index % 2 === 1 }));
    const at = (index: number): ChannelRecord => channels[index % channels.length] as ChannelRecord;
    const members = new Set<number>();
    for (let turn = 0; turn < 900; turn++) {
      if (turn % 3 === 0 && turn < 600) {
        const place = at(turn / 3);
        if (members.delete(place._id)) history.unsubscribe(place, reader);
        else {
          members.add(place._id);
          history.subscribe(place, reader);
        }
      }
      if (turn % 5 === 0) history.whisper(author, turn % 2 === 0 ? [reader] : []);
      else
        history.post(author, at(turn * 37 + (turn >> 3)), turn % 50 === 1 ? 'rare' : 'common', { readBySender: true });
    }
    await fill(history.documents);

    const { directory, documents } = history;
    for (const narrow of [all(), none(condition.direct), all(condition.topic('rare'))]) {
      const view = historyView(narrow, reader, unflagged(reader, directory), directory, NONE_MOVED_IN);
      expect(view.scans.length).toBeGreaterThan(100);
      const seen = documents.filter((message) => !isGone(message) && view.includes(message)).map(({ _id }) => _id);
      for (const anchor of [OLDEST, 1, 200, 450, 899, NEWEST]) {
        for (const count of [1, 20, 500]) {
          const page = await readPage(collection, view, {
            anchor,
            numBefore: count,
            numAfter: count,
            includeAnchor: false,
          });
          const before = seen.filter((id) => id < anchor).slice(-count);
          const after = seen.filter((id) => id > anchor).slice(0, count);
          expect(page.messages.map(({ _id }) => _id)).toEqual([...before, ...after]);
        }
      }
    }
  });

  it('read little more rows than they show, however many messages there are', async () => {
    const history = new History();
    const [reader, author] = [history.user(), history.user()];
    const channels = Array.from({ length: 20 }, () => history.channel());
    for (const place of channels) history.subscribe(place, reader);
    for (let turn = 0; turn < 3000; turn++) {
      const place = channels[turn % channels.length] as ChannelRecord;
      if (turn % 7 === 0) history.whisper(author, [reader]);
      else history.post(author, place, `topic ${turn % 3}`, { readBySender: true });
    }
    await fill(history.documents);

    const narrows = [
      all(),
      all(condition.channel(3)),
      all(condition.channel(3), condition.topic('topic 1')),
      all(condition.topic('topic 1')),
      all(condition.sender(author._id)),
      all(condition.direct),
      all({ kind: 'conversation', dmKey: `${reader._id},${author._id}` }),
      none(condition.channel(3)),
    ];
    for (const narrow of narrows) {
      const view = readableView(narrow, reader, unflagged(reader, history.directory), history.directory, NONE_MOVED_IN);
      for (const anchor of [OLDEST, 1500, NEWEST]) {
        const before = store.rowsExamined().examined;
        const page = await readPage(collection, view, { anchor, numBefore: 10, numAfter: 10, includeAnchor: true });
        expect(page.messages.length).toBeGreaterThanOrEqual(10);
        const examined = store.rowsExamined().examined - before;
        expect(examined).toBeLessThanOrEqual(2 * (page.messages.length + view.scans.length) + 32);
      }
    }
  });

  async function fill(documents: readonly MessageDocument[]): Promise<void> {
    await collection.deleteMany({});
    const kept = documents.filter((document) => !isGone(document));
    await collection.bulkWrite(kept.map((document) => ({ insertOne: { document } })));
  }

  async function compare(
    played: PlayedHistory,
    reader: UserRecord,
    narrow: Narrow,
    size: Omit<PageRequest, 'anchor'>,
  ): Promise<void> {
    const { directory, documents } = played.history;
    const oracle = new Oracle(played, reader, narrow);
    const view = readableView(narrow, reader, unflagged(reader, directory), directory, NONE_MOVED_IN);
    const own = unflagged(reader, directory);
    const unread = await firstUnread(collection, readableView(unreadIn(narrow), reader, own, directory, NONE_MOVED_IN));
    expect(unread).toBe(oracle.firstUnread());
    const count = documents.length;
    for (const anchor of new Set([OLDEST, NEWEST, unread, 1, Math.ceil(count / 3), count, count + 1, NEWEST - 2])) {
      const asked = { anchor, ...size };
      const { messages: found, ...page } = await readPage(collection, view, asked);
      expect({ asked, ...page, ids: found.map(({ _id }) => _id) }).toEqual({ asked, ...oracle.page(asked) });
    }
  }
});
