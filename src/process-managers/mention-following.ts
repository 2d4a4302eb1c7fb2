import { derivedId } from '../kernel/derived-id.js';
import type { MessageSent } from '../messages/domain/messages.events.js';
import { decideFollowWhereMentioned, FollowWhereMentioned } from '../personal/domain/follow-where-mentioned.js';
import { personalStream } from '../personal/domain/personal.events.js';
import { isOfSameTopic, personal } from '../personal/domain/personal.state.js';
import { processManager } from './process-manager.js';

/** Users looked after at once. */
const HANDS = 8;

/** Who is mentioned in a topic follows it from then on, as the send has decided by their settings. */
export const mentionFollowing = processManager<MessageSent>({
  name: 'mention-following',
  on: 'MessageSent',
  // Messages are many, and few of them change anything.
  concerns: (data) => 'newFollowerIds' in data,
  react: async ({ id, data, metadata, position }, runner) => {
    const { recipient, newFollowerIds = [] } = data;
    if (recipient.type === 'direct') return position;
    const { channelId, topic } = recipient;
    const userIds = [...newFollowerIds];
    let reached = position;
    const hand = async (): Promise<void> => {
      for (let userId = userIds.shift(); userId !== undefined; userId = userIds.shift()) {
        const of = userId;
        const outcome = await runner.decide({
          stream: personalStream(of),
          decider: personal,
          decide: decideFollowWhereMentioned,
          command: new FollowWhereMentioned(of, channelId, topic),
          context: undefined,
          by: { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId },
          cause: {
            eventId: id,
            position,
            ids: (index) => derivedId('mention-following', id, of, index),
            isAboutTheSame: isOfSameTopic,
          },
        });
        reached = Math.max(reached, outcome.position);
      }
    };
    await Promise.all(Array.from({ length: Math.min(HANDS, userIds.length) }, hand));
    return reached;
  },
});
