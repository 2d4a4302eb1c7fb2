import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import type { TopicPolicySet } from './personal.events.js';
import { TOPIC_POLICIES, type TopicPolicy } from './personal.settings.js';
import { type PersonalState, topicOf } from './personal.state.js';

interface TopicPlace {
  readonly channelId: number;
  readonly topic: string;
}

/** A topic has become another one, or part of another one. */
export class FollowTopic {
  constructor(
    readonly userId: number,
    readonly from: TopicPlace,
    readonly to: TopicPlace,
    readonly by: CommandContext,
  ) {}
}

export interface FollowTopicFacts {
  /** There were messages already in the topic that it has become. */
  readonly joinsTopic: boolean;
  /** The user reads that topic's channel. */
  readonly isReader: boolean;
  /** By `topicOf`: what the user has changed since, as it was when the topic moved; absent: nothing. */
  readonly changedSince?: ReadonlyMap<string, TopicPolicy>;
}

/** What the user has said of a topic goes with it; where two become one, so does what they have said of each. */
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
    const topic = state.topics.get(topicOf(place.channelId, place.topic))?.topic ?? place.topic;
    if (before === after) return [];
    return [{ type: 'TopicPolicySet', data: { userId, channelId: place.channelId, topic, from: before, to: after } }];
  };
  const [old, there] = [policyOf(from), policyOf(to)];
  const now = joinsTopic ? merged(old, there) : old === TOPIC_POLICIES.none ? there : old;
  return [...set(from, old, TOPIC_POLICIES.none), ...(isReader ? set(to, there, now) : [])];
};

/** The one that shows most of the topic. */
function merged(a: TopicPolicy, b: TopicPolicy): TopicPolicy {
  const { followed, unmuted, none } = TOPIC_POLICIES;
  if (a === b) return a;
  return [followed, unmuted].find((policy) => policy === a || policy === b) ?? none;
}
