import type { Decide } from '../../kernel/decider.js';
import type { TopicPolicySet } from './personal.events.js';
import { TOPIC_POLICIES } from './personal.settings.js';
import { type PersonalState, topicOf } from './personal.state.js';

/** Somebody was mentioned in a topic. */
export class FollowWhereMentioned {
  constructor(
    readonly userId: number,
    readonly channelId: number,
    readonly topic: string,
  ) {}
}

/** A topic that the user has muted stays so: they have said that they do not want to hear of it. */
export const decideFollowWhereMentioned: Decide<FollowWhereMentioned, PersonalState, TopicPolicySet, undefined> = (
  { userId, channelId, topic },
  state,
) => {
  const known = state.topics.get(topicOf(channelId, topic));
  const { none, muted, followed } = TOPIC_POLICIES;
  const from = known?.policy ?? none;
  if (from === followed || from === muted) return [];
  return [{ type: 'TopicPolicySet', data: { userId, channelId, topic: known?.topic ?? topic, from, to: followed } }];
};
