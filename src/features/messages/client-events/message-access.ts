import type { ClientEventOf } from '../../../../projections/client-events/client-event.js';
import { type ClientEventDocument, positionOf } from '../../../../projections/client-events/client-events.documents.js';
import {
  messageDelete,
  messageUpdate,
  reactionAdd,
  reactionRemove,
} from '../../../../projections/client-events/messages.js';
import type { ChannelPlace } from '../../../../projections/client-events/places.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import { ROLES } from '../../../events/shared/role.js';
import type { Position } from '../../../platform/kernel/position.js';
import { type MovedMessage, staysBefore } from '../queries/records/message-places.js';

/** Client events about a change of one message after it was sent. */
export type MessageChangeEvent = ClientEventOf<
  typeof messageUpdate | typeof messageDelete | typeof reactionAdd | typeof reactionRemove
>;

const KINDS: ReadonlySet<string> = new Set(
  [messageUpdate, messageDelete, reactionAdd, reactionRemove].map(({ kind }) => kind),
);

export const isMessageChangeEvent = (event: ClientEventDocument): event is MessageChangeEvent => KINDS.has(event.kind);

/** Whether a user had access to the message at the position of the event. */
export function hadAccess(
  userId: number,
  event: MessageChangeEvent,
  message: MovedMessage,
  directory: Directory,
): boolean {
  const { place } = event.payload;
  return place.type === 'direct' || hadAccessIn(place, userId, positionOf(event._id), message, directory);
}

/**
 * Whether a user had access to a channel message at a position. Subscribers have access: to all messages if the history
 * is open, else to the messages sent since they subscribed. Users who once had access keep it in a public channel,
 * except guests.
 */
export function hadAccessIn(
  place: ChannelPlace,
  userId: number,
  position: Position,
  message: MovedMessage,
  directory: Directory,
): boolean {
  const isSubscribed = directory.wasSubscribed(userId, place.channelId, position);
  if (isSubscribed && place.isHistoryOpen) return true;
  const gotIn = staysBefore(position, message).map(({ channelId, since }) =>
    directory.wasSubscribed(userId, channelId, since),
  );
  if (isSubscribed && gotIn.at(-1)) return true;
  return keepsAccess(place, userId, position, directory) && gotIn.includes(true);
}

/** Whether a user who is not subscribed keeps access to the messages of a channel that they once had access to. */
export function keepsAccess(
  { isPublic }: ChannelPlace,
  userId: number,
  position: Position,
  directory: Directory,
): boolean {
  const role = directory.roleAfter(userId, position);
  return isPublic && role !== null && role !== ROLES.guest;
}

/** The channel's name today; null if the reader may not know it. */
export function knownName(reader: UserRecord, channelId: number, directory: Directory): string | null {
  const channel = directory.channel(channelId);
  return channel && may(reader, { channel, to: 'see' }, directory) ? channel.name : null;
}
