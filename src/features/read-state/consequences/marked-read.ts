import { directoryProjection } from '../../../../projections/directory/directory.projection.js';
import type { PositionInterval, SubscriptionRecord } from '../../../directory/directory.records.js';
import { type FlagsAdded, type FlagsRemoved, readStateStream } from '../../../events/read-state/read-state.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { decideChangeFlags } from '../domain/change-flags.js';
import type { ReadSince } from './read-since.js';

const AT_ONCE = 500;

/** Events of one append: 50,000 messages in all, at most a megabyte however their ids are spread. */
const IN_ONE_APPEND = 10;

/**
 * Reports messages as read because of an event, in few appends. Flags changed since the event stay, so handling the
 * event again reports the rest.
 *
 * @param since reads of flags since the event
 */
export async function markRead(
  kind: string,
  userId: number,
  messageIds: readonly number[],
  cause: Recorded,
  since: ReadSince,
  runner: CommandRunner,
): Promise<Position> {
  const unchanged = await since.unchanged(userId, messageIds);
  const events = readEvents(userId, unchanged.messageIds);
  const idOf = ({ data: { ranges } }: ReadStateFlags): string =>
    derivedId(kind, cause.id, userId, ranges[0]?.[0] ?? 0, ranges.at(-1)?.[1] ?? 0);
  const { actorId, client, correlationId } = cause.metadata;
  const by = { actorId, client, correlationId };
  let reached = unchanged.position;
  for (let at = 0; at < events.length; at += IN_ONE_APPEND) {
    const batch = events.slice(at, at + IN_ONE_APPEND);
    const options = { ids: batch.map(idOf), cause };
    const { position } = await runner.reportAllFollowing(readStateStream(userId), batch, by, options);
    reached = Math.max(reached, position);
  }
  return reached;
}

/** The facts of many messages are given up when this returns. */
function readEvents(userId: number, messageIds: readonly number[]): readonly ReadStateFlags[] {
  const facts = messageIds.map((id) => ({ id, isSet: false, channelId: null, isSubscribed: true }));
  return decideChangeFlags({ userId, flag: 'read', operation: 'add' }, facts).events;
}

type ReadStateFlags = FlagsAdded | FlagsRemoved;

type Subscriptions = ReadonlyMap<number, readonly PositionInterval[]>;

/** The intervals in which each of some users was subscribed to each of some channels, by user and channel. */
export async function subscriptionsOfAll(
  userIds: readonly number[],
  channelIds: readonly number[],
  readModels: ReadModels,
): Promise<(userId: number) => Subscriptions> {
  const found = new Map(userIds.map((userId) => [userId, new Map<number, readonly PositionInterval[]>()]));
  const ids = userIds.flatMap((userId) => channelIds.map((channelId) => `${channelId}/${userId}`));
  const records = readModels.collection<SubscriptionRecord>(directoryProjection, 'subscriptions');
  for (let at = 0; at < ids.length; at += AT_ONCE)
    for (const { userId, channelId, intervals } of await records.find({ _id: { $in: ids.slice(at, at + AT_ONCE) } }))
      found.get(userId)?.set(channelId, intervals);
  return (userId) => found.get(userId) ?? new Map();
}
