import { derivedId } from '../kernel/derived-id.js';
import type { MessageSent } from '../messages/domain/messages.events.js';
import { personalStream } from '../personal/domain/personal.events.js';
import { personal } from '../personal/domain/personal.state.js';
import { decideRaiseTopicPolicy, RaiseTopicPolicy } from '../personal/domain/raise-topic-policy.js';
import { processManager } from './process-manager.js';

/** Who sends to a topic may follow it from then on, or have it unmuted, as the send has decided by their settings. */
export const topicParticipation = processManager<MessageSent>({
  name: 'topic-participation',
  on: 'MessageSent',
  // Messages are many, and few of them change anything.
  concerns: (data) => 'senderPolicy' in data,
  react: async ({ id, data, metadata, position }, runner) => {
    const { senderId, recipient, senderPolicy } = data;
    if (recipient.type === 'direct' || senderPolicy === undefined) return position;
    const outcome = await runner.decide({
      stream: personalStream(senderId),
      decider: personal,
      decide: decideRaiseTopicPolicy,
      command: new RaiseTopicPolicy(senderId, recipient.channelId, recipient.topic, senderPolicy),
      context: undefined,
      by: { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId },
      cause: { eventId: id, ids: (index) => derivedId('topic-participation', id, index) },
    });
    return Math.max(position, outcome.position);
  },
});
