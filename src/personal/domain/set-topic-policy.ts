import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { TopicPolicySet } from './personal.events.js';
import { TOPIC_POLICIES, type TopicPolicy } from './personal.settings.js';
import { type PersonalState, topicOf } from './personal.state.js';

export class SetTopicPolicy {
  constructor(
    readonly userId: number,
    readonly channelId: number,
    /** A name that a topic can have, the empty one included; messages it need not have. */
    readonly topic: string,
    readonly to: TopicPolicy,
    readonly by: CommandContext,
  ) {}
}

export interface SetTopicPolicyFacts {
  /** The user sees the channel. */
  readonly isInSight: boolean;
}

/** A channel may have gone out of the user's sight since: what they said of it they may still take back. */
export const decideSetTopicPolicy: Decide<SetTopicPolicy, PersonalState, TopicPolicySet, SetTopicPolicyFacts> = (
  { userId, channelId, topic, to },
  state,
  { isInSight },
) => {
  const known = state.topics.get(topicOf(channelId, topic));
  const takesBack = to === TOPIC_POLICIES.none && known !== undefined;
  if (!isInSight && !takesBack) refuse('INVALID_CHANNEL_ID');
  const from = known?.policy ?? TOPIC_POLICIES.none;
  if (from === to) return [];
  return [{ type: 'TopicPolicySet', data: { userId, channelId, topic: known?.topic ?? topic, from, to } }];
};
