import type { RaisedPolicy } from '../../../events/personal/auto-topic-policy.settings.js';
import type { TopicPolicySet } from '../../../events/personal/personal.events.js';
import { TOPIC_POLICIES } from '../../../events/personal/personal.settings.js';
import type { Decide } from '../../../platform/kernel/deciding.js';
import { type PersonalState, topicOf } from './personal.state.js';

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
  const known = state.topics.get(topicOf(channelId, topic));
  const from = known?.policy ?? TOPIC_POLICIES.none;
  if (from === to || from === TOPIC_POLICIES.followed) return [];
  return [{ type: 'TopicPolicySet', data: { userId, channelId, topic: known?.topic ?? topic, from, to } }];
};
