import type { CommandRunner } from '../command-runner/command-runner.js';
import { derivedId } from '../kernel/derived-id.js';
import type { Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import type { ReactionAdded } from '../messages/domain/message.events.js';
import type { MessageSent, Recipient } from '../messages/domain/messages.events.js';
import { personalStream } from '../personal/domain/personal.events.js';
import { isOfSameTopic, personal } from '../personal/domain/personal.state.js';
import { decideRaiseTopicPolicy, RaiseTopicPolicy } from '../personal/domain/raise-topic-policy.js';
import type { RaisedPolicy } from '../personal/domain/topic-habits.settings.js';
import { processManager } from './process-manager.js';

/** Who sends to a topic may follow it from then on, or have it unmuted, as the send has decided by their settings. */
export const topicParticipation = processManager<MessageSent>({
  name: 'topic-participation',
  on: 'MessageSent',
  // Messages are many, and few of them change anything.
  concerns: (data) => 'senderPolicy' in data,
  react: (event, runner) => {
    const { senderId, recipient, senderPolicy } = event.data;
    return raise(event, senderId, recipient, senderPolicy, runner);
  },
});

/** The same for who reacts there. */
export const reactionParticipation = processManager<ReactionAdded>({
  name: 'reaction-participation',
  on: 'ReactionAdded',
  concerns: (data) => 'userPolicy' in data,
  react: (event, runner) => {
    const { userId, place, userPolicy } = event.data;
    return raise(event, userId, place, userPolicy, runner);
  },
});

async function raise(
  { id, metadata, position }: Recorded<MessageSent | ReactionAdded>,
  userId: number,
  place: Recipient,
  to: RaisedPolicy | undefined,
  runner: CommandRunner,
): Promise<Position> {
  if (place.type === 'direct' || to === undefined) return position;
  const outcome = await runner.decide({
    stream: personalStream(userId),
    decider: personal,
    decide: decideRaiseTopicPolicy,
    command: new RaiseTopicPolicy(userId, place.channelId, place.topic, to),
    context: undefined,
    by: { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId },
    cause: {
      eventId: id,
      position,
      ids: (index) => derivedId('topic-participation', id, index),
      isAboutTheSame: isOfSameTopic,
    },
  });
  return Math.max(position, outcome.position);
}
