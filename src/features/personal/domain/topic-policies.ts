import { type TopicPlace, topicId } from '../../../events/messages/topics.events.js';
import type { RaisedPolicy } from '../../../events/personal/auto-topic-policy.settings.js';
import type { TopicPolicySet } from '../../../events/personal/personal.events.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../../../events/personal/personal.settings.js';
import type { BotType } from '../../../events/users/users.settings.js';
import { Command, type CommandContext, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { PersonalState } from './personal.state.js';

export class SetTopicPolicy extends Command<{
  userId: number;
  channelId: number;
  /** A valid topic name, possibly empty; the topic need not have messages. */
  topic: string;
  to: TopicPolicy;
}> {}

interface SetTopicPolicyFacts {
  /** Whether the user sees the channel. */
  readonly isVisible: boolean;
}

/** The user may still remove a policy in a channel that they do not see any more. */
export const decideSetTopicPolicy: Decide<SetTopicPolicy, PersonalState, TopicPolicySet, SetTopicPolicyFacts> = (
  { userId, channelId, topic, to },
  state,
  { isVisible },
) => {
  const known = state.topics.get(topicId(channelId, topic));
  const removes = to === TOPIC_POLICIES.none && known !== undefined;
  if (!isVisible && !removes) refuse('INVALID_CHANNEL_ID');
  const from = known?.policy ?? TOPIC_POLICIES.none;
  if (from === to) return [];
  return [{ type: 'TopicPolicySet', data: { userId, channelId, topic: known?.topic ?? topic, from, to } }];
};

/** Raises a user's policy for a topic that the user took part in. */
export class RaiseTopicPolicy {
  constructor(
    readonly userId: number,
    readonly channelId: number,
    readonly topic: string,
    readonly to: RaisedPolicy,
  ) {}
}

/** A user who follows the topic already goes on following it. */
export const decideRaiseTopicPolicy: Decide<RaiseTopicPolicy, PersonalState, TopicPolicySet, undefined> = (
  { userId, channelId, topic, to },
  state,
) => {
  const known = state.topics.get(topicId(channelId, topic));
  const from = known?.policy ?? TOPIC_POLICIES.none;
  if (from === to || from === TOPIC_POLICIES.followed) return [];
  return [{ type: 'TopicPolicySet', data: { userId, channelId, topic: known?.topic ?? topic, from, to } }];
};

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
  /** Policies that the user has changed since the move, by `topicId`, as they were at the move; absent: none. */
  readonly changedSince?: ReadonlyMap<string, TopicPolicy>;
}

/** The user's policy for a topic moves with it; if two topics become one, their policies are merged. */
export const decideFollowTopic: Decide<FollowTopic, PersonalState, TopicPolicySet, FollowTopicFacts> = (
  { userId, from, to },
  state,
  { joinsTopic, isReader, changedSince },
) => {
  const policyOf = ({ channelId, topic }: TopicPlace): TopicPolicy => {
    const key = topicId(channelId, topic);
    return changedSince?.get(key) ?? state.topics.get(key)?.policy ?? TOPIC_POLICIES.none;
  };
  const set = (place: TopicPlace, before: TopicPolicy, after: TopicPolicy): TopicPolicySet[] => {
    if (before === after) return [];
    const topic = state.topics.get(topicId(place.channelId, place.topic))?.topic ?? place.topic;
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

/** Facts about a user whom a message in a channel mentions by name. */
export interface MentionedUser {
  readonly id: number;
  readonly isActive: boolean;
  /** null: a person. */
  readonly botType: BotType | null;
  /** Whether the user is subscribed to the channel. */
  readonly isSubscribed: boolean;
  readonly followsWhereMentioned: boolean;
  /** The policy for the topic. It is known only of those who `mayComeToFollow`. */
  readonly topicPolicy: TopicPolicy;
}

/** Whether a mention can make the user follow the topic, whatever their policy for it is. */
export const mayComeToFollow = (user: Omit<MentionedUser, 'topicPolicy'>): boolean =>
  user.isActive && user.botType === null && user.isSubscribed && user.followsWhereMentioned;

/** The users who come to follow the topic: they have neither muted it, nor follow it already. */
export const newFollowersAmong = (mentioned: readonly MentionedUser[]): readonly number[] =>
  mentioned.flatMap((user) => (mayComeToFollow(user) && mayChange(user.topicPolicy) ? [user.id] : []));

const mayChange = (policy: TopicPolicy): boolean => policy === TOPIC_POLICIES.none || policy === TOPIC_POLICIES.unmuted;

/** Lets a mentioned user follow the topic. */
export class FollowWhereMentioned {
  constructor(
    readonly userId: number,
    readonly channelId: number,
    readonly topic: string,
  ) {}
}

/** A muted topic stays muted: the user does not want to hear of it. */
export const decideFollowWhereMentioned: Decide<FollowWhereMentioned, PersonalState, TopicPolicySet, undefined> = (
  { userId, channelId, topic },
  state,
) => {
  const known = state.topics.get(topicId(channelId, topic));
  const { none, muted, followed } = TOPIC_POLICIES;
  const from = known?.policy ?? none;
  if (from === followed || from === muted) return [];
  return [{ type: 'TopicPolicySet', data: { userId, channelId, topic: known?.topic ?? topic, from, to: followed } }];
};
