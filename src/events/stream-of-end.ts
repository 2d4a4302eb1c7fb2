import type { EventPlace } from '../platform/kernel/event.js';
import { messageStream } from './messages/message.events.js';
import { MESSAGES_STREAM, messageIdAt } from './messages/messages.events.js';
import { attachmentIdAt, UPLOADS_STREAM, uploadStream } from './uploads/uploads.events.js';

/**
 * Names the stream with the event that ends the key of an event's content. It is the event's own stream, but a message and
 * a file end in streams of their own.
 */
export function streamOfEnd({ stream, revision }: Pick<EventPlace, 'stream' | 'revision'>): string {
  if (stream === MESSAGES_STREAM) return messageStream(messageIdAt(revision));
  return stream === UPLOADS_STREAM ? uploadStream(attachmentIdAt(revision)) : stream;
}
