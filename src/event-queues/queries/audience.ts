import {
  type Audience,
  type AudienceRule,
  type ClientEventDocument,
  positionOf,
} from '../../../projections/client-events.documents.js';
import type { Directory } from '../../directory/directory.js';
import type { ChannelRecord, SightInterval } from '../../directory/directory.records.js';
import { covers } from '../../directory/intervals.js';
import type { Position } from '../../kernel/position.js';
import { ROLES } from '../../kernel/role.js';

/** Whether an event is for a user, by its rule as of its place in the log (D10). */
export function isFor(userId: number, event: ClientEventDocument, directory: Directory): boolean {
  return isAmong(userId, event.audience, positionOf(event._id), directory);
}

/** Whether an audience has a user, as of an event at `position`. */
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

/** Whether a rule names a user, as of the event at `position`. */
export function isNamed(userId: number, rule: AudienceRule, position: Position, directory: Directory): boolean {
  const { everyone, roles, userIds, subscribersOf, everSubscribedTo, groups } = rule;
  if (everyone) return true;
  const role = roles || groups ? directory.roleAfter(userId, position) : null;
  if (role !== null && roles?.includes(role)) return true;
  if (userIds && listed(userIds, userId)) return true;
  if (subscribersOf !== undefined && directory.wasSubscribed(userId, subscribersOf, position)) return true;
  if (everSubscribedTo?.some((channelId) => directory.hadSubscribed(userId, channelId, position))) return true;
  if (!groups || role === ROLES.guest) return false;
  return groups.some((group) => directory.wasInGroupAfter(userId, group, position));
}

/** Whether a user saw a channel, subscribed or not, as of the event at `position`; nobody does before there is one. */
export function sawChannel(userId: number, channel: ChannelRecord, position: Position, directory: Directory): boolean {
  const interval = sightAt(channel, position);
  return !!interval && isNamed(userId, { ...interval.seers, subscribersOf: channel._id }, position, directory);
}

/** Whether the channel was archived once the event at `position` had happened. */
export const wasArchived = (channel: ChannelRecord, position: Position): boolean =>
  sightAt(channel, position)?.isArchived ?? false;

const sightAt = ({ sightIntervals }: ChannelRecord, position: Position): SightInterval | undefined =>
  sightIntervals.find((interval) => covers([interval], position));

/** Whether a message is one that `all_public_streams` adds to what the user gets anyway. */
export function isPublicMessageFor(userId: number, event: ClientEventDocument, directory: Directory): boolean {
  if (event.kind !== 'message') return false;
  const { recipient } = event.payload;
  const role = directory.roleAfter(userId, positionOf(event._id));
  return recipient.type === 'channel' && recipient.isPublic && role !== ROLES.guest;
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
