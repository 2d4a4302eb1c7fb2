import type { TopicPolicySet } from '../../../events/personal/personal.events.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../../../events/personal/personal.settings.js';
import type { CommandContext, Decide } from '../../../platform/kernel/deciding.js';
import { type PersonalState, topicOf } from './personal.state.js';

interface TopicPlace {
  readonly channelId: number;
  readonly topic: string;
}

/** Moves a user's policy with a topic that has become another topic, or a part of one. */
export class FollowTopic {
  constructor(
    readonly userId: number,
    readonly from: TopicPlace,
    readonly to: TopicPlace,
    readonly by: CommandContext,
  ) {}
}

export interface FollowTopicFacts {
  /** Whether the other topic had messages already. */
  readonly joinsTopic: boolean;
  /** Whether the user reads the other topic's channel. */
  readonly isReader: boolean;
  /** Policies that the user has changed since the move, by `topicOf`, as they were at the move; absent: none. */
  readonly changedSince?: ReadonlyMap<string, TopicPolicy>;
}

/** The user's policy for a topic moves with it; if two topics become one, their policies are merged. */
export const decideFollowTopic: Decide<FollowTopic, PersonalState, TopicPolicySet, FollowTopicFacts> = (
  { userId, from, to },
  state,
  { joinsTopic, isReader, changedSince },
) => {
  const policyOf = ({ channelId, topic }: TopicPlace): TopicPolicy => {
    const key = topicOf(channelId, topic);
    return changedSince?.get(key) ?? state.topics.get(key)?.policy ?? TOPIC_POLICIES.none;
  };
  const set = (place: TopicPlace, before: TopicPolicy, after: TopicPolicy): TopicPolicySet[] => {
    if (before === after) return [];
    const topic = state.topics.get(topicOf(place.channelId, place.topic))?.topic ?? place.topic;
    return [{ type: 'TopicPolicySet', data: { userId, channelId: place.channelId, topic, from: before, to: after } }];
  };
  const [old, there] = [policyOf(from), policyOf(to)];
  const now = joinsTopic ? merged(old, there) : old === TOPIC_POLICIES.none ? there : old;
  return [...set(from, old, TOPIC_POLICIES.none), ...(isReader ? set(to, there, now) : [])];
};

/** The policy that shows more of the topic. */
function merged(a: TopicPolicy, b: TopicPolicy): TopicPolicy {
  const { followed, unmuted, none } = TOPIC_POLICIES;
  if (a === b) return a;
  return [followed, unmuted].find((policy) => policy === a || policy === b) ?? none;
}
