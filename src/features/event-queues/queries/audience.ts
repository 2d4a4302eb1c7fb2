import {
  type Audience,
  type AudienceRule,
  type ClientEventDocument,
  positionOf,
  typeOf,
} from '../../../../projections/client-events/client-events.documents.js';
import { message } from '../../../../projections/client-events/messages.js';
import type { EventQueueDocument } from '../../../../projections/event-queues/event-queues.projection.js';
import type { Directory } from '../../../directory/directory.js';
import { ROLES } from '../../../events/shared/role.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { ClientEventTexts } from '../services/client-event-texts.js';

/** Whether a user is in the event's audience as of the event's position (D10). */
export function isFor(userId: number, event: ClientEventDocument, directory: Directory): boolean {
  return isAmong(userId, event.audience, positionOf(event._id), directory);
}

/** Whether a user is in an audience as of an event at `position`. */
export function isAmong(
  userId: number,
  { among, except, ...rule }: Audience,
  position: Position,
  directory: Directory,
): boolean {
  return (
    directory.user(userId) !== undefined &&
    isNamed(userId, rule, position, directory) &&
    (!among || isNamed(userId, among, position, directory)) &&
    !(except && isNamed(userId, except, position, directory))
  );
}

/** Whether a rule names a user as of an event at `position`. */
export function isNamed(userId: number, rule: AudienceRule, position: Position, directory: Directory): boolean {
  const { everyone, roles, userIds, subscribersOf, everSubscribedTo, groups } = rule;
  if (everyone) return true;
  const role = roles || groups ? directory.roleAfter(userId, position) : null;
  if (role !== null && roles?.includes(role)) return true;
  if (userIds && isListed(userIds, userId)) return true;
  if (subscribersOf !== undefined && directory.wasSubscribed(userId, subscribersOf, position)) return true;
  if (everSubscribedTo?.some((channelId) => directory.hadSubscribed(userId, channelId, position))) return true;
  if (!groups || role === ROLES.guest) return false;
  return groups.some((group) => directory.wasInGroupAfter(userId, group, position));
}

/** Whether `all_public_streams` adds the message to the user's own events. */
export function isPublicMessageFor(userId: number, event: ClientEventDocument, directory: Directory): boolean {
  if (!message.is(event)) return false;
  const { recipient } = event.payload;
  const role = directory.roleAfter(userId, positionOf(event._id));
  return recipient.type === 'channel' && recipient.isPublic && role !== ROLES.guest;
}

const LONG_LIST = 32;
const sets = new WeakMap<readonly number[], ReadonlySet<number>>();

/** Searches a long list by a set, because many queues search the list. The set stays in memory as long as the event. */
function isListed(ids: readonly number[], id: number): boolean {
  if (ids.length < LONG_LIST) return ids.includes(id);
  let set = sets.get(ids);
  if (!set) {
    set = new Set(ids);
    sets.set(ids, set);
  }
  return set.has(id);
}

/** Whether a queue passes an event whose audience its user is in. */
export type QueueFilter = (event: ClientEventDocument) => boolean;

/** Filters by type, by the positions of the registered state, and by the narrow of messages. */
export function queueFilter(
  queue: EventQueueDocument,
  { narrowing, replacedBy }: Pick<ClientEventTexts, 'narrowing' | 'replacedBy'>,
): QueueFilter {
  const types = queue.eventTypes === null ? null : new Set(queue.eventTypes);
  // A client that knows the newer type names it in `event_types`.
  const replaced = new Set([...replacedBy].flatMap(([kind, newer]) => (types?.has(newer) ? [kind] : [])));
  const isInNarrow = narrowing.filterFor(queue);
  return (event) => {
    if (types && !types.has(typeOf(event.kind))) return false;
    if (replaced.size > 0 && replaced.has(event.kind)) return false;
    if (positionOf(event._id) <= (queue.statePositions[event.part] ?? queue.startsAfter)) return false;
    return isInNarrow === null || isInNarrow(event);
  };
}
