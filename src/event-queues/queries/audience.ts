import { type ClientEventDocument, positionOf } from '../../../projections/client-events.documents.js';
import type { Directory } from '../../directory/directory.js';
import { ROLES } from '../../kernel/role.js';

/** Whether an event is for a user, by its rule as of its place in the log (D10). */
export function isFor(userId: number, event: ClientEventDocument, directory: Directory): boolean {
  const { everyone, roles, subscribersOf, userIds, exceptUserIds, exceptRoles } = event.audience;
  const user = directory.user(userId);
  if (!user) return false;
  if (exceptRoles?.includes(user.role)) return false;
  if (exceptUserIds && listed(exceptUserIds, userId)) return false;
  if (everyone || roles?.includes(user.role)) return true;
  if (userIds && listed(userIds, userId)) return true;
  return subscribersOf !== undefined && directory.wasSubscribed(userId, subscribersOf, positionOf(event._id));
}

/** Whether a message is one that `all_public_streams` adds to what the user gets anyway. */
export function isPublicMessageFor(userId: number, event: ClientEventDocument, directory: Directory): boolean {
  if (event.kind !== 'message') return false;
  const { recipient } = event.payload;
  return recipient.type === 'channel' && recipient.isPublic && directory.user(userId)?.role !== ROLES.guest;
}

const LONG = 32;
const sets = new WeakMap<readonly number[], ReadonlySet<number>>();

/** A long list is asked about by many queues: worth a set, for as long as its event is held. */
function listed(ids: readonly number[], id: number): boolean {
  if (ids.length < LONG) return ids.includes(id);
  let set = sets.get(ids);
  if (!set) {
    set = new Set(ids);
    sets.set(ids, set);
  }
  return set.has(id);
}
