import type { ClientEventOf } from '../../../../projections/client-events/client-event.js';
import { positionOf } from '../../../../projections/client-events/client-events.documents.js';
import type { messagesMoved, movedAway } from '../../../../projections/client-events/moves.js';
import type { EventQueueDocument } from '../../../../projections/event-queues/event-queues.projection.js';
import type { Directory } from '../../../directory/directory.js';
import { topicForClients } from '../../../events/messages/topic-name.js';
import type { NumberedBody } from '../../event-queues/client-event-writer.js';
import { topicLinks } from '../../markdown/channel-links.js';
import { hadAccessIn, keepsAccess } from './message-access.js';
import { knowsAll, type MovedMessages, type MoveEvent } from './moved-messages.js';

/** Number of ids that are reserved for the event: its own id and the ids below it. */
const MOST_OWN_IDS = 1024;

/**
 * Ids of the moved messages that the reader is told of: those the reader had access to, or all that came to the
 * reader's channel.
 */
export function visibleIds(
  userId: number,
  event: MoveEvent,
  { ids, places }: MovedMessages,
  directory: Directory,
): readonly number[] {
  return knowsAll(userId, event, directory) ? ids : accessibleIds(userId, event, ids, places, directory);
}

/** Ids of the messages that a reader loses by the move: those the reader had access to, deleted ones among them. */
export function lostIds(
  userId: number,
  event: MoveEvent,
  { ids, deletedIds, places }: MovedMessages,
  directory: Directory,
): readonly number[] {
  const all = deletedIds.length === 0 ? ids : [...ids, ...deletedIds].sort((a, b) => a - b);
  return accessibleIds(userId, event, all, places, directory);
}

function accessibleIds(
  userId: number,
  event: MoveEvent,
  ids: readonly number[],
  places: MovedMessages['places'],
  directory: Directory,
): readonly number[] {
  const position = positionOf(event._id);
  const { from } = event.payload;
  return ids.filter((id) => {
    const message = places.get(id);
    return message !== undefined && hadAccessIn(from, userId, position, message, directory);
  });
}

/** Whether the messages have moved to a channel that the reader has no access to. */
export function losesAccess(userId: number, { _id, payload: { from, to } }: MoveEvent, directory: Directory): boolean {
  if (from.channelId === to.channelId) return false;
  const position = positionOf(_id);
  return !directory.wasSubscribed(userId, to.channelId, position) && !keepsAccess(to, userId, position, directory);
}

/**
 * The body of a move, without the reader's flags.
 * @param ids not empty
 * @param channelName of the channel that the messages were in; null: the reader may not know it
 */
export function movedBody(
  { at, payload }: ClientEventOf<typeof messagesMoved>,
  ids: readonly number[],
  allowEmptyTopicName: boolean,
  channelName: string | null,
  directory: Directory,
): Record<string, unknown> {
  const { moverId, propagateMode, from, to } = payload;
  const named = (topic: string): string => topicForClients(topic, allowEmptyTopicName);
  return {
    type: 'update_message',
    user_id: moverId,
    rendering_only: false,
    message_id: anchorOf(payload, ids),
    message_ids: ids,
    edit_timestamp: Math.floor(at / 1000),
    stream_id: from.channelId,
    stream_name: channelName ?? '',
    ...(from.channelId === to.channelId ? {} : { new_stream_id: to.channelId }),
    propagate_mode: propagateMode,
    orig_subject: named(from.topic),
    ...(from.topic === to.topic
      ? {}
      : { subject: named(to.topic), topic_links: topicLinks(to.topic, directory.linkifiers) }),
  };
}

/** The message that the mover named, or another moved one if the reader has no access to that message. */
export function anchorOf({ anchorId }: MoveEvent['payload'], ids: readonly number[]): number | undefined {
  return ids.includes(anchorId) ? anchorId : ids[0];
}

/**
 * The bodies by which a reader loses messages: one event with a list for clients with `bulk_message_deletion`, one
 * event per message for others. Each event has its own id, and the last has the id of its cause. If there are more events
 * than ids, the first events share an id: they are sent together.
 */
export function lostBodies(
  { _id, payload: { from } }: ClientEventOf<typeof movedAway>,
  ids: readonly number[],
  { clientCapabilities }: Pick<EventQueueDocument, 'clientCapabilities'>,
): readonly NumberedBody[] {
  const topic = topicForClients(from.topic, clientCapabilities.empty_topic_name ?? false);
  const place = { message_type: 'stream', stream_id: from.channelId, topic };
  if (ids.length === 0) return [];
  if (clientCapabilities.bulk_message_deletion)
    return [{ id: _id, body: JSON.stringify({ type: 'delete_message', message_ids: ids, ...place }) }];
  return ids.map((message_id, index) => ({
    id: _id - Math.min(ids.length - 1 - index, MOST_OWN_IDS - 1),
    body: JSON.stringify({ type: 'delete_message', message_id, ...place }),
  }));
}
