import type { Decide } from '../../kernel/decider.js';
import type { TopicPolicySet } from './personal.events.js';
import { TOPIC_POLICIES } from './personal.settings.js';
import { type PersonalState, topicOf } from './personal.state.js';
import type { RaisedPolicy } from './topic-habits.settings.js';

/** What follows from something that a user did in a topic. */
export class RaiseTopicPolicy {
  constructor(
    readonly userId: number,
    readonly channelId: number,
    readonly topic: string,
    readonly to: RaisedPolicy,
  ) {}
}

/** Who has come to follow the topic meanwhile goes on doing so. */
export const decideRaiseTopicPolicy: Decide<RaiseTopicPolicy, PersonalState, TopicPolicySet, undefined> = (
  { userId, channelId, topic, to },
  state,
) => {
  const known = state.topics.get(topicOf(channelId, topic));
  const from = known?.policy ?? TOPIC_POLICIES.none;
  if (from === to || from === TOPIC_POLICIES.followed) return [];
  return [{ type: 'TopicPolicySet', data: { userId, channelId, topic: known?.topic ?? topic, from, to } }];
};
