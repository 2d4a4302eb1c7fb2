import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MESSAGES, type MessageDocument, messages } from '../../projections/messages/messages.projection.js';
import type { TopicPolicyDocument } from '../../projections/personal/personal.projection.js';
import type { UserRecord } from '../../src/directory/directory.records.js';
import { ROLES } from '../../src/events/shared/role.js';
import { RENDERER_VERSION, renderMarkdown } from '../../src/features/markdown/render-markdown.js';
import { NEWEST, OLDEST, readPage } from '../../src/features/messages/queries/reading/message-page.js';
import { readableView } from '../../src/features/messages/queries/reading/message-view.js';
import { searchView } from '../../src/features/messages/queries/reading/search-view.js';
import { TopicPolicies } from '../../src/features/messages/queries/reading/topic-policies.js';
import type { Narrow, NarrowCondition } from '../../src/features/narrow/domain/narrow-resolve.js';
import type { Collection } from '../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../src/platform/documents/sqlite/sqlite-document-store.js';
import { NONE_MOVED_IN, unflagged } from '../projections/messages/messages-history.js';
import { PlayedHistory } from '../projections/played-history.js';

const ROLES_OF_USERS = [ROLES.owner, ROLES.member, ROLES.guest] as const;
const CHANNELS = [{}, { inviteOnly: true }, { inviteOnly: true, historyPublicToSubscribers: false }] as const;
const TOPICS = ['fox hunt', 'Plans', '✔ plans', ''] as const;
const PARTS = ['fox', 'the', 'quick brown', 'fox, the', 'https://fox.example', 'Quick'] as const;

type Step =
  | { readonly do: 'toggle'; readonly user: number; readonly channel: number }
  | {
      readonly do: 'post';
      readonly user: number;
      readonly channel: number;
      readonly topic: string;
      readonly parts: readonly string[];
    }
  | {
      readonly do: 'whisper';
      readonly user: number;
      readonly others: readonly number[];
      readonly parts: readonly string[];
    };

const user = fc.nat({ max: ROLES_OF_USERS.length - 1 });
const channel = fc.nat({ max: CHANNELS.length - 1 });
const parts = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('toggle' as const), user, channel }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('post' as const), user, channel, topic: fc.constantFrom(...TOPICS), parts }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('whisper' as const),
      user,
      others: fc.array(user, { maxLength: 2 }),
      parts,
    }),
  },
);

const one = <C extends NarrowCondition>(...conditions: readonly C[]): fc.Arbitrary<C> => fc.constantFrom(...conditions);
const condition: fc.Arbitrary<NarrowCondition> = fc.oneof(
  fc.integer({ min: 1, max: 3 }).map((channelId): NarrowCondition => ({ kind: 'channel', channelId })),
  one(
    { kind: 'channels', channelIds: [1] },
    { kind: 'channels', channelIds: [] },
    { kind: 'channels', channelIds: [1, 2] },
  ),
  fc.constantFrom('fox hunt', 'plans', '✔ plans', '').map((topicKey): NarrowCondition => ({ kind: 'topic', topicKey })),
  one<NarrowCondition>({ kind: 'resolved' }, { kind: 'followed' }, { kind: 'muted' }, { kind: 'direct' }),
  fc.constantFrom('1', '1,2', '1,2,3', '2,3').map((dmKey): NarrowCondition => ({ kind: 'conversation', dmKey })),
  one<NarrowCondition>(
    { kind: 'participants', userIds: [1, 2], isGroup: false },
    { kind: 'participants', userIds: [2, 3], isGroup: true },
  ),
  fc.integer({ min: 1, max: 3 }).map((userId): NarrowCondition => ({ kind: 'sender', userId })),
  fc.integer({ min: 1, max: 30 }).map((messageId): NarrowCondition => ({ kind: 'id', messageId })),
  one<NarrowCondition>({ kind: 'has', what: 'link' }, { kind: 'has', what: 'image' }),
  fc
    .constantFrom('fox', 'THE', '"fox the"', 'fox hunt', '"quick brown" the', 'giraffe', '"')
    .map((text): NarrowCondition => ({ kind: 'search', search: { text, languages: ['en'] } })),
);
const narrow: fc.Arbitrary<Narrow> = fc.record({
  required: fc.array(condition, { maxLength: 3 }),
  excluded: fc.array(condition, { maxLength: 2 }),
});

function play(steps: readonly Step[]): PlayedHistory {
  const played = new PlayedHistory(ROLES_OF_USERS, CHANNELS);
  for (const next of steps) {
    if (next.do === 'toggle') {
      played.toggle(next.user, next.channel);
      continue;
    }
    const text = next.parts.join(' ');
    const content = { text, rendered: renderMarkdown(text), rendererVersion: RENDERER_VERSION };
    if (next.do === 'whisper') played.whisper(next.user, next.others, { content });
    else played.post(next.user, next.channel, next.topic, { content });
  }
  return played;
}

/** Channel id, topic and policy: the reader follows one topic and mutes another. */
const POLICIES = [
  [1, 'plans', 3],
  [2, 'fox hunt', 1],
] as const;

/** Answers by the rules of narrows, asked of every message. */
class Oracle {
  constructor(
    private readonly played: PlayedHistory,
    private readonly reader: UserRecord,
  ) {}

  ids({ required, excluded }: Narrow): number[] {
    const wholeHistory = required.some(({ kind }) => kind === 'channel' || kind === 'channels' || kind === 'id');
    return this.played.history.documents
      .filter((message) => this.played.sees(this.reader, message, wholeHistory))
      .filter((message) => required.every((each) => this.meets(message, each)))
      .filter((message) => !excluded.some((each) => this.meets(message, each)))
      .map(({ _id }) => _id);
  }

  private meets(message: MessageDocument, asked: NarrowCondition): boolean {
    const place = message.type === 'channel' ? message : null;
    const people = message.type === 'direct' ? message.participants : null;
    const topic = place?.topic.toLowerCase();
    const hasPolicy = (wanted: number): boolean =>
      POLICIES.some(
        ([channelId, name, policy]) => place?.channelId === channelId && topic === name && policy === wanted,
      );
    switch (asked.kind) {
      case 'channel':
        return place?.channelId === asked.channelId;
      case 'channels':
        return place !== null && asked.channelIds.includes(place.channelId);
      case 'topic':
        return topic === asked.topicKey;
      case 'resolved':
        return topic?.startsWith('✔ ') ?? false;
      case 'followed':
        return hasPolicy(3);
      case 'muted':
        return hasPolicy(1);
      case 'direct':
        return people !== null;
      case 'conversation':
        return people?.join(',') === asked.dmKey;
      case 'participants':
        return (
          people !== null && asked.userIds.every((id) => people.includes(id)) && (!asked.isGroup || people.length > 2)
        );
      case 'sender':
        return message.senderId === asked.userId;
      case 'id':
        return message._id === asked.messageId;
      case 'has':
        return asked.what === 'link' && (message.text ?? '').includes('https://');
      case 'search':
        return this.holds(message, asked.search.text);
      default:
        throw new Error(`not asked here: ${asked.kind}`);
    }
  }

  private holds(message: MessageDocument, search: string): boolean {
    const words = (text: string): string =>
      ` ${text
        .toLowerCase()
        .replaceAll(/[^a-z]+/g, ' ')
        .trim()} `;
    const fields = [words(message.text ?? ''), words(message.type === 'channel' ? message.topic : '')];
    const all = search.match(/"[^"]+"|[^\s"]+/g) ?? [];
    // A common word counts only by itself.
    const telling = all.filter((each) => each.toLowerCase() !== 'the');
    const wanted = telling.length > 0 ? telling : all;
    return wanted.length > 0 && wanted.every((each) => fields.some((field) => field.includes(words(each))));
  }
}

describe('pages of random narrows over random histories', () => {
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

  it('hold exactly the messages that match by the rules', async () => {
    const steps = fc.array(step, { minLength: 20, maxLength: 60, size: 'max' });
    const narrows = fc.array(narrow, { minLength: 25, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(steps, user, narrows, fc.nat({ max: 9 }), async (happened, who, asked, count) => {
        const played = play(happened);
        await collection.deleteMany({});
        await collection.bulkWrite(played.history.documents.map((document) => ({ insertOne: { document } })));
        const reader = played.users[who] as UserRecord;
        for (const each of asked) await compare(played, reader, each, count);
      }),
      { numRuns: 40 },
    );
  });

  async function compare(played: PlayedHistory, reader: UserRecord, asked: Narrow, count: number): Promise<void> {
    const { directory: people, documents } = played.history;
    const policies = POLICIES.map(
      ([channelId, topicKey, policy]): TopicPolicyDocument => ({
        _id: `${reader._id}/${channelId}/${topicKey}`,
        userId: reader._id,
        channelId,
        topicKey,
        topic: topicKey,
        policy,
        setAt: 0,
        position: 0,
      }),
    );
    const topics = new TopicPolicies(policies, reader, people);
    const view = await searchView(
      collection,
      readableView(asked, reader, unflagged(reader, people), people, NONE_MOVED_IN, topics),
    );
    const ids = new Oracle(played, reader).ids(asked);
    for (const anchor of [OLDEST, NEWEST, Math.ceil(documents.length / 2)]) {
      const page = await readPage(collection, view, { anchor, numBefore: count, numAfter: count, includeAnchor: true });
      const before = anchor === OLDEST ? [] : ids.filter((id) => id < anchor);
      const expected = [
        ...(count === 0 ? [] : before.slice(-count)),
        ...ids.filter((id) => id === anchor),
        ...ids.filter((id) => id > anchor).slice(0, count),
      ];
      expect({ asked, anchor, ids: page.messages.map(({ _id }) => _id) }).toEqual({ asked, anchor, ids: expected });
    }
  }
});
