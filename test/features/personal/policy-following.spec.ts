import { describe, expect, it } from '@jest/globals';
import { policyFollowing } from '../../../src/features/personal/consequences/policy-following.js';
import { appendedBy, type Happened, type Said } from '../../support/events/handled-history.js';

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

/** Answers the policies that the consequence sets when the documents know the whole history. */
const followedAfter = async (...history: readonly Said[]): Promise<string[]> => {
  const policies = await appendedBy(follow, history, by);
  return policies.map(({ data }) => {
    const { topic, from, to } = data as { topic: string; from: number; to: number };
    return `${topic}: ${from} → ${to}`;
  });
};

async function follow({ events, position, runner, readModels, signal }: Happened): Promise<void> {
  for (const projection of policyFollowing.reads ?? []) {
    const own = events.filter(({ type }) => Object.hasOwn(projection.on, type));
    await readModels.apply(projection, own, position);
  }
  for (const event of events)
    if (event.type === policyFollowing.on) await policyFollowing.react(event, runner, readModels, signal);
}

describe('the policy of a topic follows its move', () => {
  const before = [subscribed, said('tea', NONE, FOLLOWED)];

  it('if nothing has happened since', async () => {
    expect(await followedAfter(...before, moved)).toEqual(['tea: 3 → 0', 'milk: 0 → 3']);
  });

  it('if the old topic has a newer policy: that stays, and the new topic gets the former policy', async () => {
    expect(await followedAfter(...before, moved, said('tea', FOLLOWED, NONE))).toEqual(['milk: 0 → 3']);
    expect(await followedAfter(...before, moved, said('tea', FOLLOWED, MUTED))).toEqual(['milk: 0 → 3']);
  });

  it('if the new topic has a newer policy: that stays', async () => {
    expect(await followedAfter(...before, moved, said('milk', NONE, MUTED))).toEqual(['tea: 3 → 0']);
  });

  it('but a policy set after the move does not', async () => {
    expect(await followedAfter(subscribed, moved, said('tea', NONE, FOLLOWED))).toEqual([]);
  });

  it('for users who could read the channel at the time of the move', async () => {
    expect(await followedAfter(...before, moved, left)).toEqual(['tea: 3 → 0', 'milk: 0 → 3']);
    expect(await followedAfter(...before, left, moved, subscribed)).toEqual(['tea: 3 → 0']);
  });
});
