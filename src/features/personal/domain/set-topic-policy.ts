import type { TopicPolicySet } from '../../../events/personal/personal.events.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../../../events/personal/personal.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type PersonalState, topicOf } from './personal.state.js';

export class SetTopicPolicy extends Command<{
  userId: number;
  channelId: number;
  /** A valid topic name, possibly empty; the topic need not have messages. */
  topic: string;
  to: TopicPolicy;
}> {}

export interface SetTopicPolicyFacts {
  /** Whether the user sees the channel. */
  readonly isVisible: boolean;
}

/** The user may still remove a policy in a channel that they do not see any more. */
export const decideSetTopicPolicy: Decide<SetTopicPolicy, PersonalState, TopicPolicySet, SetTopicPolicyFacts> = (
  { userId, channelId, topic, to },
  state,
  { isVisible },
) => {
  const known = state.topics.get(topicOf(channelId, topic));
  const removes = to === TOPIC_POLICIES.none && known !== undefined;
  if (!isVisible && !removes) refuse('INVALID_CHANNEL_ID');
  const from = known?.policy ?? TOPIC_POLICIES.none;
  if (from === to) return [];
  return [{ type: 'TopicPolicySet', data: { userId, channelId, topic: known?.topic ?? topic, from, to } }];
};
