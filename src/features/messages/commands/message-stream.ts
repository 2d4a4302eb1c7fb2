import { type MessageEvent, messageStream } from '../../../events/messages/message.events.js';
import { MESSAGES_STREAM, type MessageSent, revisionOf } from '../../../events/messages/messages.events.js';
import type { DecidedStream } from '../../../platform/commands/stream-states.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { asSent, type MessageState, messageDecider } from '../domain/message.state.js';

/** The stream of a message; its state begins with the message's MessageSent. */
export const decidedMessage = (messageId: number): DecidedStream<MessageState, MessageEvent> => ({
  stream: messageStream(messageId),
  decider: messageDecider,
  expects: 'any',
  origin: {
    stream: MESSAGES_STREAM,
    revision: revisionOf(messageId),
    begin: (event) => asSent(event as Recorded<MessageSent>),
  },
});

/** Seals new content of a message under the message's own key. */
export const underItsOwnKey = {
  keyId: (state: MessageState): string => (state.status === 'living' ? state.keyId : refuse('INVALID_MESSAGE')),
  whenGone: (): never => refuse('INVALID_MESSAGE'),
};
