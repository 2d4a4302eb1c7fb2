import { type ClientEventDocument, positionOf } from '../../../projections/client-events.documents.js';
import type { Directory } from '../../directory/directory.js';
import type { Position } from '../../kernel/position.js';
import { ROLES } from '../../kernel/role.js';

/** Events about something that happened to a message since it was sent. */
export type MessageLifeEvent = Extract<
  ClientEventDocument,
  { readonly kind: 'update_message' | 'delete_message' | 'reaction/add' | 'reaction/remove' }
>;

const KINDS: ReadonlySet<string> = new Set(['update_message', 'delete_message', 'reaction/add', 'reaction/remove']);

export const isOfMessageLife = (event: ClientEventDocument): event is MessageLifeEvent => KINDS.has(event.kind);

/**
 * Whether a user had access to the message when it happened. Of a channel, whoever is subscribed has, to what was sent
 * since they are where the history is not open; and who got it in a public channel keeps it, but for guests.
 */
export function hadAccess(
  userId: number,
  event: MessageLifeEvent,
  sentPosition: Position,
  directory: Directory,
): boolean {
  const { place } = event.payload;
  if (place.type === 'direct') return true;
  const position = positionOf(event._id);
  const isSubscribed = directory.wasSubscribed(userId, place.channelId, position);
  if (isSubscribed && place.isHistoryOpen) return true;
  if (!directory.wasSubscribed(userId, place.channelId, sentPosition)) return false;
  const role = directory.roleAfter(userId, position);
  return isSubscribed || (place.isPublic && role !== null && role !== ROLES.guest);
}
