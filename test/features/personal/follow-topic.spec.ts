import { describe, it } from '@jest/globals';
import type { TopicPolicySet } from '../../../src/events/personal/personal.events.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../../../src/events/personal/personal.settings.js';
import { personal } from '../../../src/features/personal/domain/personal.state.js';
import { decideFollowTopic, FollowTopic } from '../../../src/features/personal/domain/topic-policies.js';
import { given } from '../../support/events/given.js';

const { none, muted, unmuted, followed } = TOPIC_POLICIES;
const command = new FollowTopic(
  7,
  { channelId: 1, topic: 'tea' },
  { channelId: 2, topic: 'coffee' },
  { actorId: 9, client: 'test', correlationId: 'c' },
);

const set = (channelId: number, topic: string, from: TopicPolicy, to: TopicPolicy): TopicPolicySet => ({
  type: 'TopicPolicySet',
  data: { userId: 7, channelId, topic, from, to },
});

/** Begins with the policies of the user for the old topic and for the one that it becomes. */
const saying = (old: TopicPolicy, there: TopicPolicy) =>
  given(personal, [
    ...(old === none ? [] : [set(1, 'Tea', none, old)]),
    ...(there === none ? [] : [set(2, 'coffee', none, there)]),
  ]);

describe('a topic that is moved to another', () => {
  it('takes along the policies of users', () => {
    for (const policy of [muted, unmuted, followed])
      saying(policy, none)
        .when(decideFollowTopic, command, { joinsTopic: false, isReader: true })
        .then([set(1, 'Tea', policy, none), set(2, 'coffee', none, policy)]);
  });

  it('replaces the policy for a topic without messages', () => {
    const begins = { joinsTopic: false, isReader: true };
    saying(muted, followed)
      .when(decideFollowTopic, command, begins)
      .then([set(1, 'Tea', muted, none), set(2, 'coffee', followed, muted)]);
    saying(none, muted).when(decideFollowTopic, command, begins).thenNothing();
  });

  it('gets the more visible policy of both if it joins a topic with messages', () => {
    const joins = { joinsTopic: true, isReader: true };
    saying(muted, followed)
      .when(decideFollowTopic, command, joins)
      .then([set(1, 'Tea', muted, none)]);
    saying(followed, unmuted)
      .when(decideFollowTopic, command, joins)
      .then([set(1, 'Tea', followed, none), set(2, 'coffee', unmuted, followed)]);
    saying(muted, muted)
      .when(decideFollowTopic, command, joins)
      .then([set(1, 'Tea', muted, none)]);
    saying(muted, none)
      .when(decideFollowTopic, command, joins)
      .then([set(1, 'Tea', muted, none)]);
    saying(none, muted)
      .when(decideFollowTopic, command, joins)
      .then([set(2, 'coffee', muted, none)]);
    saying(none, followed).when(decideFollowTopic, command, joins).thenNothing();
  });

  it('has no policy for a user who cannot read it any more', () => {
    saying(followed, none)
      .when(decideFollowTopic, command, { joinsTopic: false, isReader: false })
      .then([set(1, 'Tea', followed, none)]);
  });
});
