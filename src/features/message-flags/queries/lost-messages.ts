import type { Stay } from '../../../../projections/messages/message-blocks.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { covers } from '../../../directory/intervals.js';
import { ROLES } from '../../../events/shared/role.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import type { FlaggedMessage } from './flagged-message.js';

/**
 * The channels that a message has been in, oldest first; the last one is its channel now. Empty if it never changed
 * channel.
 */
function staysOf(message: FlaggedMessage & { readonly type: 'channel' }): readonly Stay[] {
  const { channelId, firstChannelId, sentPosition, arrivedPosition, between = [] } = message;
  if (firstChannelId === undefined || arrivedPosition === undefined) return [];
  return [{ channelId: firstChannelId, since: sentPosition }, ...between, { channelId, since: arrivedPosition }];
}

/**
 * Whether a reader has lost a message after a position: it was moved out of reach, or the reader could not read its
 * channel for a while. The reader's clients were told, and have dropped the message or its star.
 */
export function isLostSince(
  position: Position | null,
  message: FlaggedMessage,
  reader: UserRecord,
  directory: Directory,
): boolean {
  if (message.type === 'direct') return false;
  const since = position ?? START;
  return isMovedAway(since, message, reader, directory) || isLeftBehind(since, message, reader, directory);
}

type ChannelMessage = FlaggedMessage & { readonly type: 'channel' };

function isMovedAway(position: Position, message: ChannelMessage, reader: UserRecord, directory: Directory): boolean {
  const stays = staysOf(message);
  return stays.some(({ channelId, since }, index) => {
    const left = stays[index - 1];
    if (!left || since <= position) return false;
    const wasIn = (stay: Stay, at: Position): boolean => directory.wasSubscribed(reader._id, stay.channelId, at);
    const keeps = (id: number): boolean => keepsAccess(id, since, reader, directory);
    if (wasIn({ channelId, since }, since) || keeps(channelId)) return false;
    const gotIt = stays.slice(0, index).some((stay) => wasIn(stay, stay.since));
    return wasIn(left, since) || (gotIt && keeps(left.channelId));
  });
}

/** Whether the reader lost a channel while the message was in it, by leaving it or because it became private. */
function isLeftBehind(position: Position, message: ChannelMessage, reader: UserRecord, directory: Directory): boolean {
  const { channelId, sentPosition } = message;
  const moved = staysOf(message);
  const stays = moved.length > 0 ? moved : [{ channelId, since: sentPosition }];
  return stays.some((stay, index) => {
    const from = Math.max(stay.since, position);
    const until = stays[index + 1]?.since ?? Number.POSITIVE_INFINITY;
    return lossesOf(stay.channelId, reader, directory).some((at) => from < at && at < until);
  });
}

/** The positions at which a user lost access to a channel, as far as it does not depend on groups. */
function lossesOf(channelId: number, reader: UserRecord, directory: Directory): readonly Position[] {
  const subscribed = directory.subscriptionsOf(reader._id).get(channelId)?.intervals ?? [];
  const seen = directory.channel(channelId)?.sightIntervals ?? [];
  const ends = [...subscribed, ...seen].flatMap(({ to }) => to ?? []);
  const demotions = reader.roleIntervals.flatMap(({ role, from }) => (role === ROLES.guest ? [from] : []));
  return [...ends, ...demotions].filter(
    (at) => !covers(subscribed, at) && !keepsAccess(channelId, at, reader, directory),
  );
}

/** Whether a user who is not subscribed keeps access to a channel's messages: members see public channels. */
function keepsAccess(channelId: number, position: Position, { _id }: UserRecord, directory: Directory): boolean {
  const sight = directory.channel(channelId)?.sightIntervals.find((interval) => covers([interval], position));
  const role = directory.roleAfter(_id, position);
  return (sight?.seers.roles.includes(ROLES.member) ?? false) && role !== null && role !== ROLES.guest;
}
