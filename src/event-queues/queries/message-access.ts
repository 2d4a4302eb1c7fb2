import type { ChannelPlace, ClientEventDocument } from '../../../projections/client-events.documents.js';
import { positionOf } from '../../../projections/client-events.documents.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import type { Position } from '../../kernel/position.js';
import { ROLES } from '../../kernel/role.js';
import { type MovedMessage, staysBefore } from '../../messages/queries/message-places.js';

/** Events about something that happened to a message since it was sent. */
export type MessageLifeEvent = Extract<
  ClientEventDocument,
  { readonly kind: 'update_message' | 'delete_message' | 'reaction/add' | 'reaction/remove' }
>;

const KINDS: ReadonlySet<string> = new Set(['update_message', 'delete_message', 'reaction/add', 'reaction/remove']);

export const isOfMessageLife = (event: ClientEventDocument): event is MessageLifeEvent => KINDS.has(event.kind);

/** Whether a user had access to the message when something happened to it. */
export function hadAccess(
  userId: number,
  event: MessageLifeEvent,
  message: MovedMessage,
  directory: Directory,
): boolean {
  const { place } = event.payload;
  return place.type === 'direct' || hadAccessIn(place, userId, positionOf(event._id), message, directory);
}

/**
 * The same of a message in a channel. Whoever is subscribed has access, to what came since they are where the history is
 * not open; and who has once got it keeps it in a public channel, but for guests.
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
  return keepsWhatIsIn(place, userId, position, directory) && gotIn.includes(true);
}

/** Whether who is not subscribed keeps what they have got of what is in a channel. */
export function keepsWhatIsIn(
  { isPublic }: ChannelPlace,
  userId: number,
  position: Position,
  directory: Directory,
): boolean {
  const role = directory.roleAfter(userId, position);
  return isPublic && role !== null && role !== ROLES.guest;
}

/** What a channel is called today, to who may know that; others may have left it under another name. */
export function shownName(reader: UserRecord, channelId: number, directory: Directory): string | null {
  const channel = directory.channel(channelId);
  return channel && may(reader, { channel, to: 'see' }, directory) ? channel.name : null;
}
