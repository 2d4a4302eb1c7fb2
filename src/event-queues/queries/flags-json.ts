import {
  type ClientEventDocument,
  type ClientEventOf,
  positionOf,
} from '../../../projections/client-events.documents.js';
import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import type { Position } from '../../kernel/position.js';
import { topicForClients } from '../../messages/domain/topic-name.js';
import { mentionFlags } from '../../messages/queries/call-flags.js';
import type { Journeys } from '../../messages/queries/journeys.js';
import { placeAt, staysBefore } from '../../messages/queries/message-places.js';
import { isInHistory } from '../../messages/queries/readable-messages.js';

export type UnflaggingEvent = ClientEventOf<'update_message_flags/remove'>;

export const isOfUnflagging = (event: ClientEventDocument): event is UnflaggingEvent =>
  event.kind === 'update_message_flags/remove';

/** The messages that have to be known before it leaves: a client that is to show something as unread is told where. */
export const idsToldWith = ({ payload: { flag, messageIds } }: UnflaggingEvent): readonly number[] =>
  flag === 'read' ? messageIds : [];

/** @returns null where nothing is left to tell */
export function unflaggedBody(
  { _id, payload: { flag, messageIds } }: UnflaggingEvent,
  messages: ReadonlyMap<number, MessageDocument>,
  journeys: Journeys,
  reader: UserRecord,
  directory: Directory,
  allowEmptyTopicName: boolean,
): string | null {
  // `operation`: the older name of `op`.
  const head = { type: 'update_message_flags', op: 'remove', operation: 'remove', flag };
  if (flag !== 'read') return JSON.stringify({ ...head, messages: messageIds, all: false });
  // Nothing becomes unread in a channel that its reader had just left.
  const isTold = (message: MessageDocument): boolean =>
    message.type === 'direct' ||
    directory.wasSubscribed(
      reader._id,
      staysBefore(positionOf(_id), message).at(-1)?.channelId ?? message.channelId,
      positionOf(_id),
    );
  const left = messageIds.flatMap((id) => messages.get(id) ?? []).filter(isTold);
  if (left.length === 0) return null;
  const details = left.map((message) => [
    message._id,
    {
      ...detailsOf(message, journeys, positionOf(_id), reader, allowEmptyTopicName),
      ...(isCalledBy(reader, message, directory) && { mentioned: true }),
    },
  ]);
  const ids = left.map(({ _id }) => _id);
  return JSON.stringify({ ...head, messages: ids, all: false, message_details: Object.fromEntries(details) });
}

function detailsOf(
  message: MessageDocument,
  journeys: Journeys,
  position: Position,
  reader: UserRecord,
  allowEmptyTopicName: boolean,
): object {
  if (message.type === 'direct')
    return { type: 'private', user_ids: message.participants.filter((id) => id !== reader._id) };
  const { channelId, topic } = placeAt(position, message, journeys.get(message.journey ?? ''));
  return { type: 'stream', stream_id: channelId, topic: topicForClients(topic, allowEmptyTopicName) };
}

const isCalledBy = (reader: UserRecord, message: MessageDocument, directory: Directory): boolean =>
  mentionFlags(reader, message, directory).length > 0 && isInHistory(reader, message, directory);
