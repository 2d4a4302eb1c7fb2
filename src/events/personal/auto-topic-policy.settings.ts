import { TOPIC_POLICIES, type TopicPolicy } from './personal.settings.js';

/** The actions in a topic that set its policy automatically, by the API's numbers. */
export const AUTO_FOLLOW_TRIGGERS = { participate: 1, send: 2, start: 3, never: 4 } as const;

/** The weakest trigger that sets a policy. */
export type AutoFollowFrom = (typeof AUTO_FOLLOW_TRIGGERS)[keyof typeof AUTO_FOLLOW_TRIGGERS];

/** A user's action in a topic. */
export type AutoFollowTrigger = Exclude<AutoFollowFrom, typeof AUTO_FOLLOW_TRIGGERS.never>;

/** The topic policies that a user's own messages and reactions set. */
export interface AutoTopicPolicy {
  /** The weakest trigger that makes the user follow the topic. */
  readonly follow: AutoFollowFrom;
  /** The weakest trigger that unmutes the topic, in a channel that the user has muted. */
  readonly unmute: AutoFollowFrom;
  /** Whether the user follows topics in which they are mentioned by name. */
  readonly followWhereMentioned: boolean;
}

/** Whether a trigger may change the policy of some topic. */
export const mayChange = (trigger: AutoFollowTrigger, auto: AutoTopicPolicy, isChannelMuted: boolean): boolean =>
  auto.follow <= trigger || (isChannelMuted && auto.unmute <= trigger);

/** The facts about the topic and the user who acts in it. */
export interface AutoTopicFacts {
  readonly autoTopicPolicy: Pick<AutoTopicPolicy, 'follow' | 'unmute'>;
  readonly isChannelMuted: boolean;
  readonly policy: TopicPolicy;
}

/** Policies that triggers set. */
export type RaisedPolicy = typeof TOPIC_POLICIES.unmuted | typeof TOPIC_POLICIES.followed;

/**
 * The policy that a trigger sets; null if nothing changes, as in every followed topic.
 * @param trigger the strongest one: starting a topic is also sending to it and participating in it
 */
export function policyAfter(
  trigger: AutoFollowTrigger,
  { autoTopicPolicy: { follow, unmute }, isChannelMuted, policy }: AutoTopicFacts,
): RaisedPolicy | null {
  if (policy === TOPIC_POLICIES.followed) return null;
  // A user with a policy for a topic does not start it.
  const isStarted = trigger === AUTO_FOLLOW_TRIGGERS.start && policy !== TOPIC_POLICIES.none;
  const strongest = isStarted ? AUTO_FOLLOW_TRIGGERS.send : trigger;
  if (follow <= strongest) return TOPIC_POLICIES.followed;
  if (!isChannelMuted || unmute > strongest || policy === TOPIC_POLICIES.unmuted) return null;
  return TOPIC_POLICIES.unmuted;
}
