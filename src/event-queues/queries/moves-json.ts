import { type ClientEventOf, positionOf } from '../../../projections/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues.projection.js';
import type { Directory } from '../../directory/directory.js';
import { topicLinks } from '../../messages/domain/topic-links.js';
import { topicForClients } from '../../messages/domain/topic-name.js';
import { hadAccessIn, keepsWhatIsIn } from './message-access.js';
import { knowsAll, type MovedMessages, type MoveEvent } from './moved-messages.js';

/** Ids below the event's own that are kept free for it. */
const MOST_OWN_IDS = 1024;

/** Of those that moved, what a reader is told of: what they knew, and what has come to where they are. */
export function idsTold(
  userId: number,
  event: MoveEvent,
  { ids, places }: MovedMessages,
  directory: Directory,
): readonly number[] {
  return knowsAll(userId, event, directory) ? ids : idsKnown(userId, event, ids, places, directory);
}

/** Of those that a reader loses, what they knew, also where it was deleted since. */
export function idsLost(
  userId: number,
  event: MoveEvent,
  { ids, goneIds, places }: MovedMessages,
  directory: Directory,
): readonly number[] {
  const all = goneIds.length === 0 ? ids : [...ids, ...goneIds].sort((a, b) => a - b);
  return idsKnown(userId, event, all, places, directory);
}

function idsKnown(
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

/** Whether the messages have gone where a reader does not get at them. */
export function losesThem(userId: number, { _id, payload: { from, to } }: MoveEvent, directory: Directory): boolean {
  if (from.channelId === to.channelId) return false;
  const position = positionOf(_id);
  return !directory.wasSubscribed(userId, to.channelId, position) && !keepsWhatIsIn(to, userId, position, directory);
}

/** All but the flags. @param ids not empty @param channelName of where the messages were; null: the reader may not know it */
export function movedBody(
  { at, payload }: ClientEventOf<'update_message/moved'>,
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

/** The message that the mover named, or one that has moved with it where that is not there to the reader. */
export function anchorOf({ anchorId }: MoveEvent['payload'], ids: readonly number[]): number | undefined {
  return ids.includes(anchorId) ? anchorId : ids[0];
}

export const readBody = (ids: readonly number[]): Record<string, unknown> => ({
  type: 'update_message_flags',
  op: 'add',
  operation: 'add',
  flag: 'read',
  messages: ids,
  all: false,
});

/**
 * Clients that know of it get a list, others an event a message. Each has an id of its own, the last of them the cause's;
 * beyond as many as there are, the first ones share one: they leave together.
 */
export function lostBodies(
  { _id, payload: { from } }: ClientEventOf<'delete_message/moved'>,
  ids: readonly number[],
  { clientCapabilities }: Pick<EventQueueDocument, 'clientCapabilities'>,
): readonly { readonly id: number; readonly body: Record<string, unknown> }[] {
  const topic = topicForClients(from.topic, clientCapabilities.empty_topic_name ?? false);
  const place = { message_type: 'stream', stream_id: from.channelId, topic };
  if (ids.length === 0) return [];
  if (clientCapabilities.bulk_message_deletion)
    return [{ id: _id, body: { type: 'delete_message', message_ids: ids, ...place } }];
  return ids.map((message_id, index) => ({
    id: _id - Math.min(ids.length - 1 - index, MOST_OWN_IDS - 1),
    body: { type: 'delete_message', message_id, ...place },
  }));
}
