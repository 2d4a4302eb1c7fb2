import type { DecidedStream } from '../../command-runner/stream-states.js';
import { refuse } from '../../kernel/domain-error.js';
import type { Recorded } from '../../kernel/event.js';
import { type MessageLifeEvent, messageStream } from '../domain/message.events.js';
import { asSent, type MessageState, messageLife } from '../domain/message.state.js';
import { MESSAGES_STREAM, type MessageSent, revisionOf } from '../domain/messages.events.js';

/** The stream of a message, which begins with how it was sent. */
export const lifeOf = (messageId: number): DecidedStream<MessageState, MessageLifeEvent> => ({
  stream: messageStream(messageId),
  decider: messageLife,
  origin: {
    stream: MESSAGES_STREAM,
    revision: revisionOf(messageId),
    begin: (event) => asSent(event as Recorded<MessageSent>),
  },
});

/** New words of a message go with its first ones. */
export const underItsOwnKey = {
  keyId: (state: MessageState): string => (state.status === 'living' ? state.keyId : refuse('INVALID_MESSAGE')),
  whenGone: (): never => refuse('INVALID_MESSAGE'),
};
