import {
  type ClientEventDocument,
  type ClientEventOf,
  positionOf,
  typeOf,
} from '../../../projections/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues.projection.js';
import { fold } from '../../kernel/fold.js';
import { dmKeyOf } from '../../messages/domain/dm-key.js';
import { type IsFlagged, isInNarrow, type NarrowedMessage } from '../../messages/domain/narrow-match.js';

/** Whether a queue lets an event through that its user may have. */
export type QueueFilter = (event: ClientEventDocument) => boolean;

/**
 * By type, by what the registered state knew already, and by the narrow of messages.
 * @param queue its own filter; made once for each poll
 */
export function queueFilter(queue: EventQueueDocument): QueueFilter {
  const types = queue.eventTypes === null ? null : new Set(queue.eventTypes);
  const { required, excluded } = queue.narrow;
  const narrowed = required.length > 0 || excluded.length > 0;
  return (event) => {
    if (types && !types.has(typeOf(event.kind))) return false;
    // Who knows what came instead asks for that by name.
    if (event.kind === 'muted_topics' && types?.has('user_topic')) return false;
    if (positionOf(event._id) <= (queue.statePositions[event.part] ?? queue.startsAfter)) return false;
    return (
      !narrowed || event.kind !== 'message' || isInNarrow(queue.narrow, narrowedMessage(event), startsAs(event, queue))
    );
  };
}

/** A message that has just come is starred by nobody. */
const startsAs =
  ({ payload }: ClientEventOf<'message'>, { userId }: EventQueueDocument): IsFlagged =>
  (as) =>
    as === 'unread' && !(payload.readBySender && payload.senderId === userId);

const seen = new WeakMap<ClientEventDocument, NarrowedMessage>();

function narrowedMessage(event: ClientEventOf<'message'>): NarrowedMessage {
  let message = seen.get(event);
  if (!message) {
    const { messageId: _id, senderId, recipient } = event.payload;
    message =
      recipient.type === 'channel'
        ? { _id, senderId, type: 'channel', channelId: recipient.channelId, topicKey: fold(recipient.topic) }
        : { _id, senderId, type: 'direct', dmKey: dmKeyOf(recipient.userIds) };
    seen.set(event, message);
  }
  return message;
}
