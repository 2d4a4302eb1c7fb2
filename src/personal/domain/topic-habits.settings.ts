import { TOPIC_POLICIES, type TopicPolicy } from './personal.settings.js';

/** What somebody has to do in a topic for a policy to be set by itself; the API's numbers. */
export const ACTS = { participate: 1, send: 2, start: 3, never: 4 } as const;
export type Act = (typeof ACTS)[keyof typeof ACTS];

/** Which policies somebody's own acts set on topics. */
export interface TopicHabits {
  /** From this act on, they follow the topic. */
  readonly follow: Act;
  /** In a channel that they have muted, from this act on the topic is not. */
  readonly unmute: Act;
  /** They follow topics where they are mentioned by name. */
  readonly followWhereMentioned: boolean;
}

export type Deed = Exclude<Act, typeof ACTS.never>;

/** Whether it may change anything, whatever the policy for the topic is. */
export const mayChange = (deed: Deed, habits: TopicHabits, isChannelMuted: boolean): boolean =>
  habits.follow <= deed || (isChannelMuted && habits.unmute <= deed);

/** What is known of the topic, to the one who acts there. */
export interface HabitFacts {
  readonly habits: Pick<TopicHabits, 'follow' | 'unmute'>;
  readonly isChannelMuted: boolean;
  readonly policy: TopicPolicy;
}

/** What acts can make of a topic. */
export type RaisedPolicy = typeof TOPIC_POLICIES.unmuted | typeof TOPIC_POLICIES.followed;

/**
 * The policy that an act sets; null where it changes nothing, which is so of every topic that is followed.
 * @param act the most that it is: who starts a topic has sent to it, and takes part
 */
export function policyAfter(act: Deed, { habits, isChannelMuted, policy }: HabitFacts): RaisedPolicy | null {
  if (policy === TOPIC_POLICIES.followed) return null;
  // Whoever has a policy for a topic does not start it.
  const done = act === ACTS.start && policy !== TOPIC_POLICIES.none ? ACTS.send : act;
  if (habits.follow <= done) return TOPIC_POLICIES.followed;
  if (!isChannelMuted || habits.unmute > done || policy === TOPIC_POLICIES.unmuted) return null;
  return TOPIC_POLICIES.unmuted;
}
