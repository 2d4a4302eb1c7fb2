import type { ReactionAdded } from '../../../events/messages/message.events.js';
import type { MessageSent, Recipient } from '../../../events/messages/messages.events.js';
import type { RaisedPolicy } from '../../../events/personal/auto-topic-policy.settings.js';
import { personalStream } from '../../../events/personal/personal.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { decideAfter, processManager } from '../../../platform/consumers/process-manager.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import type { Position } from '../../../platform/kernel/position.js';
import { isOfSameTopic, personal } from '../domain/personal.state.js';
import { decideRaiseTopicPolicy, RaiseTopicPolicy } from '../domain/topic-policies.js';

/** Raises the sender's policy for the topic, as the send has decided by the sender's settings. */
export const topicParticipation = processManager<MessageSent>({
  name: 'topic-participation',
  on: 'MessageSent',
  appends: ['TopicPolicySet'],
  // Few of the many messages change a policy.
  concerns: (data) => 'senderPolicy' in data,
  react: (event, runner) => {
    const { senderId, recipient, senderPolicy } = event.data;
    return raise(event, senderId, recipient, senderPolicy, runner);
  },
});

/** Raises the policy of a user who reacts, as the reaction has decided. */
export const reactionParticipation = processManager<ReactionAdded>({
  name: 'reaction-participation',
  on: 'ReactionAdded',
  appends: ['TopicPolicySet'],
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
  const outcome = await decideAfter({ id, metadata, position }, runner, {
    stream: personalStream(userId),
    decider: personal,
    decide: decideRaiseTopicPolicy,
    command: new RaiseTopicPolicy(userId, place.channelId, place.topic, to),
    context: undefined,
    ids: (index) => derivedId('topic-participation', id, index),
    isAboutTheSame: isOfSameTopic,
  });
  return outcome.position;
}
