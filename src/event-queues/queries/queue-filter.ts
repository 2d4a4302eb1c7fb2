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
  // Whom the words call is known as the event leaves.
  const [required, excluded] = [queue.narrow.required.filter(isOfPlaces), queue.narrow.excluded.filter(isOfPlaces)];
  const narrowed = required.length > 0 || excluded.length > 0;
  return (event) => {
    if (types && !types.has(typeOf(event.kind))) return false;
    // Who knows what came instead asks for that by name.
    if (event.kind === 'muted_topics' && types?.has('user_topic')) return false;
    if (positionOf(event._id) <= (queue.statePositions[event.part] ?? queue.startsAfter)) return false;
    return (
      !narrowed ||
      event.kind !== 'message' ||
      isInNarrow({ required, excluded }, narrowedMessage(event), startsAs(event, queue))
    );
  };
}

type QueueNarrow = EventQueueDocument['narrow'];
type CallCondition = Extract<QueueNarrow['required'][number], { readonly kind: 'mentioned' | 'alerted' }>;

const isOfCalls = (condition: QueueNarrow['required'][number]): condition is CallCondition =>
  condition.kind === 'mentioned' || condition.kind === 'alerted';

const isOfPlaces = (condition: QueueNarrow['required'][number]): boolean => !isOfCalls(condition);

/** Whether a narrow wants a message whose words call its reader so. */
export function wantsCalled({ required, excluded }: QueueNarrow, flags: readonly string[]): boolean {
  const isMet = ({ kind }: CallCondition): boolean =>
    kind === 'alerted'
      ? flags.includes('has_alert_word')
      : flags.includes('mentioned') || flags.includes('wildcard_mentioned');
  return required.filter(isOfCalls).every(isMet) && !excluded.filter(isOfCalls).some(isMet);
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
