import type { TopicPolicySet } from '../../../events/personal/personal.events.js';
import { TOPIC_POLICIES } from '../../../events/personal/personal.settings.js';
import type { Decide } from '../../../platform/kernel/deciding.js';
import { type PersonalState, topicOf } from './personal.state.js';

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
  const known = state.topics.get(topicOf(channelId, topic));
  const { none, muted, followed } = TOPIC_POLICIES;
  const from = known?.policy ?? none;
  if (from === followed || from === muted) return [];
  return [{ type: 'TopicPolicySet', data: { userId, channelId, topic: known?.topic ?? topic, from, to: followed } }];
};
