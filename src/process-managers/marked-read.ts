import { directoryProjection } from '../../projections/directory.projection.js';
import type { ReadModels } from '../../projections/runner/read-models.js';
import type { CommandRunner } from '../command-runner/command-runner.js';
import type { PositionInterval, SubscriptionRecord } from '../directory/directory.records.js';
import { derivedId } from '../kernel/derived-id.js';
import type { Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import type { MessageRow } from '../messages/queries/rows/message-block.js';
import { decideChangeFlags } from '../read-state/domain/change-flags.js';
import { type FlagsAdded, type FlagsRemoved, readStateStream } from '../read-state/domain/read-state.events.js';
import type { ReadSince } from './read-since.js';

const AT_ONCE = 500;

/** Appended together: 50,000 messages, which take less than a megabyte however they lie. */
const IN_ONE_APPEND = 10;

/**
 * Reports messages as read that an event has made so: in one append as far as they fit into one. What has been said of
 * them since the event is left as it is, and so handling it again finds what is left.
 *
 * @param since of the event
 */
export async function markRead(
  kind: string,
  userId: number,
  rows: readonly MessageRow[],
  cause: Recorded,
  since: ReadSince,
  runner: CommandRunner,
): Promise<Position> {
  const left = await since.leftOf(userId, rows);
  const facts = left.rows.map(({ _id }) => ({ id: _id, isSet: false, channelId: null, isSubscribed: true }));
  const { events } = decideChangeFlags({ userId, flag: 'read', operation: 'add' }, facts);
  const idOf = ({ data: { ranges } }: ReadStateFlags): string =>
    derivedId(kind, cause.id, userId, ranges[0]?.[0] ?? 0, ranges.at(-1)?.[1] ?? 0);
  const { actorId, client, correlationId } = cause.metadata;
  const by = { actorId, client, correlationId };
  let reached = left.position;
  for (let at = 0; at < events.length; at += IN_ONE_APPEND) {
    const some = events.slice(at, at + IN_ONE_APPEND);
    const options = { ids: some.map(idOf), cause };
    const { position } = await runner.reportAllFollowing(readStateStream(userId), some, by, options);
    reached = Math.max(reached, position);
  }
  return reached;
}

type ReadStateFlags = FlagsAdded | FlagsRemoved;

/** When somebody was in some channels. */
export async function subscriptionsOf(
  userId: number,
  channelIds: readonly number[],
  readModels: ReadModels,
): Promise<ReadonlyMap<number, readonly PositionInterval[]>> {
  const found = new Map<number, readonly PositionInterval[]>();
  for (let at = 0; at < channelIds.length; at += AT_ONCE) {
    const $in = channelIds.slice(at, at + AT_ONCE).map((channelId) => `${channelId}/${userId}`);
    const records = readModels.collection<SubscriptionRecord>(directoryProjection, 'subscriptions');
    for (const { channelId, intervals } of await records.find({ _id: { $in } })) found.set(channelId, intervals);
  }
  return found;
}
