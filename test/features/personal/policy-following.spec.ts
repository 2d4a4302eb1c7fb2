import { describe, expect, it } from '@jest/globals';
import { directoryProjection } from '../../../projections/directory/directory.projection.js';
import { personal } from '../../../projections/personal/personal.projection.js';
import { policyFollowing } from '../../../src/features/personal/consequences/policy-following.js';
import { appendedBy, type Happened, type Said } from '../../support/handled-history.js';

const by = { actorId: 9, client: 'test', correlationId: 'c' };
const [NONE, MUTED, FOLLOWED] = [0, 1, 3];

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
  const policies = await appendedBy(follow, history, by);
  return policies.map(({ data }) => {
    const { topic, from, to } = data as { topic: string; from: number; to: number };
    return `${topic}: ${from} → ${to}`;
  });
};

async function follow({ events, position, runner, readModels, signal }: Happened): Promise<void> {
  for (const projection of [personal, directoryProjection]) {
    const own = events.filter(({ type }) => Object.hasOwn(projection.on, type));
    await readModels.apply(projection, own, position);
  }
  for (const event of events)
    if (event.type === policyFollowing.on) await policyFollowing.react(event, runner, readModels, signal);
}

describe('the policy of a topic follows its move', () => {
  const before = [subscribed, said('tea', NONE, FOLLOWED)];

  it('when nothing has happened since', async () => {
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
