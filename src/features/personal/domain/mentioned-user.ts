import { TOPIC_POLICIES, type TopicPolicy } from '../../../events/personal/personal.settings.js';
import type { BotType } from '../../../events/users/users.settings.js';

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
