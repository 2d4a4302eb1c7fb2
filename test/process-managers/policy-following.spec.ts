import { describe, expect, it } from '@jest/globals';
import { directoryProjection } from '../../projections/directory.projection.js';
import { personal } from '../../projections/personal.projection.js';
import { CommandRunner } from '../../src/command-runner/command-runner.js';
import { SqliteContentKeys } from '../../src/content-keys/sqlite/sqlite-content-keys.js';
import { SqliteDocumentStore } from '../../src/document-store/sqlite/sqlite-document-store.js';
import { EventCodec } from '../../src/event-codec/event-codec.js';
import { SqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.js';
import { START } from '../../src/kernel/position.js';
import { policyFollowing } from '../../src/process-managers/policy-following.js';
import { AppliedByHand } from '../support/applied-by-hand.js';
import { withScratch } from '../support/scratch.js';

const by = { actorId: 9, client: 'test', correlationId: 'c' };
const [NONE, MUTED, FOLLOWED] = [0, 1, 3];

type Said = readonly [stream: string, type: string, data: object];

const subscribed: Said = ['subscriptions-1', 'UsersSubscribed', { channelId: 1, userIds: [5] }];
const left: Said = ['subscriptions-1', 'UsersUnsubscribed', { channelId: 1, userIds: [5] }];
const said = (topic: string, from: number, to: number): Said => [
  'user-5',
  'TopicPolicySet',
  { userId: 5, channelId: 1, topic, from, to },
];
const moved: Said = [
  'topics-1',
  'MessagesMoved',
  {
    anchorId: 1,
    propagateMode: 'change_all',
    from: { channelId: 1, topic: 'tea' },
    to: { channelId: 1, topic: 'milk' },
    reach: null,
    messageCount: 1,
    isWholeTopic: true,
    notices: { oldThread: false, newThread: false },
  },
];

/** @returns what follows from the move, when all of this has happened before it is followed */
const followedAfter = async (...history: readonly Said[]): Promise<string[]> => {
  const policies: string[] = [];
  await withScratch(async (folder) => {
    const [eventStore, documentStore] = [await SqliteEventStore.open(folder), await SqliteDocumentStore.open(folder)];
    const keys = await SqliteContentKeys.open(folder);
    const codec = new EventCodec(keys);
    const runner = new CommandRunner(eventStore, keys, codec);
    const readModels = new AppliedByHand(documentStore);
    try {
      for (const [stream, type, data] of history) await runner.report(stream, { type, data } as never, by);
      const { events, position } = await eventStore.readAll({ after: START, limit: 100 });
      const happened = await codec.decode(events);
      for (const projection of [personal, directoryProjection]) {
        const own = happened.filter(({ type }) => Object.hasOwn(projection.on, type));
        await readModels.apply(projection, own, position);
      }
      for (const event of happened)
        if (event.type === policyFollowing.on)
          await policyFollowing.react(event, runner, readModels, new AbortController().signal);
      for (const { data } of (await eventStore.readAll({ after: position, limit: 100 })).events) {
        const { topic, from, to } = data as { topic: string; from: number; to: number };
        policies.push(`${topic}: ${from} → ${to}`);
      }
    } finally {
      await Promise.all([keys.close(), documentStore.close(), eventStore.close()]);
    }
  });
  return policies;
};

describe('what somebody has said of a topic follows it as of its move', () => {
  const before = [subscribed, said('tea', NONE, FOLLOWED)];

  it('where nothing has happened since', async () => {
    expect(await followedAfter(...before, moved)).toEqual(['tea: 3 → 0', 'milk: 0 → 3']);
  });

  it('where the old topic has been spoken of since: that stays, and the new one is what the old one was', async () => {
    expect(await followedAfter(...before, moved, said('tea', FOLLOWED, NONE))).toEqual(['milk: 0 → 3']);
    expect(await followedAfter(...before, moved, said('tea', FOLLOWED, MUTED))).toEqual(['milk: 0 → 3']);
  });

  it('where the new topic has been spoken of since: that stays', async () => {
    expect(await followedAfter(...before, moved, said('milk', NONE, MUTED))).toEqual(['tea: 3 → 0']);
  });

  it('and nothing does that was said only since', async () => {
    expect(await followedAfter(subscribed, moved, said('tea', NONE, FOLLOWED))).toEqual([]);
  });

  it('to who read the channel then, whoever does now', async () => {
    expect(await followedAfter(...before, moved, left)).toEqual(['tea: 3 → 0', 'milk: 0 → 3']);
    expect(await followedAfter(...before, left, moved, subscribed)).toEqual(['tea: 3 → 0']);
  });
});
