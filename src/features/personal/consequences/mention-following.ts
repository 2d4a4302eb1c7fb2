import type { MessageSent } from '../../../events/messages/messages.events.js';
import { personalStream } from '../../../events/personal/personal.events.js';
import { decideAfter, processManager } from '../../../platform/consumers/process-manager.js';
import { forEachConcurrently } from '../../../platform/kernel/for-each-concurrently.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { isOfSameTopic, personal } from '../domain/personal.state.js';
import { decideFollowWhereMentioned, FollowWhereMentioned } from '../domain/topic-policies.js';

/** Users handled at once. */
const CONCURRENCY = 8;

/** Lets mentioned users follow the topic, as the send has decided by their settings. */
export const mentionFollowing = processManager<MessageSent>({
  name: 'mention-following',
  on: 'MessageSent',
  appends: ['TopicPolicySet'],
  // Few of the many messages change a policy.
  concerns: (data) => 'newFollowerIds' in data,
  react: async ({ id, data, metadata, position }, runner) => {
    const { recipient, newFollowerIds = [] } = data;
    if (recipient.type === 'direct') return position;
    const { channelId, topic } = recipient;
    let reached = position;
    await forEachConcurrently(newFollowerIds, CONCURRENCY, async (userId) => {
      const outcome = await decideAfter({ id, metadata, position }, runner, {
        stream: personalStream(userId),
        decider: personal,
        decide: decideFollowWhereMentioned,
        command: new FollowWhereMentioned(userId, channelId, topic),
        context: undefined,
        ids: (index) => derivedId('mention-following', id, userId, index),
        isAboutTheSame: isOfSameTopic,
      });
      reached = Math.max(reached, outcome.position);
    });
    return reached;
  },
});
