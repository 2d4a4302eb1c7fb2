import type { Stay } from '../../../../../projections/messages/message-blocks.js';
import type { Directory } from '../../../../directory/directory.js';
import type { UserRecord } from '../../../../directory/directory.records.js';
import { covers } from '../../../../directory/intervals.js';
import { ROLES } from '../../../../events/shared/role.js';
import { type Position, START } from '../../../../platform/kernel/position.js';
import type { FlaggedMessage } from './flagged-message.js';

/**
 * The channels that a message has been in, oldest first; the last one is its channel now. Empty if it never changed
 * channel.
 */
export function staysOf(message: FlaggedMessage & { readonly type: 'channel' }): readonly Stay[] {
  const { channelId, firstChannelId, sentPosition, arrivedPosition, between = [] } = message;
  if (firstChannelId === undefined || arrivedPosition === undefined) return [];
  return [{ channelId: firstChannelId, since: sentPosition }, ...between, { channelId, since: arrivedPosition }];
}

/**
 * Whether a message was moved out of its reader's reach after a position: the reader's clients were told that it is
 * deleted, and have dropped it.
 */
export function isLostSince(
  position: Position | null,
  message: FlaggedMessage,
  reader: UserRecord,
  directory: Directory,
): boolean {
  if (message.type === 'direct' || message.firstChannelId === undefined) return false;
  const stays = staysOf(message);
  return stays.some(({ channelId, since }, index) => {
    const left = stays[index - 1];
    if (!left || since <= (position ?? START)) return false;
    const wasIn = (stay: Stay, at: Position): boolean => directory.wasSubscribed(reader._id, stay.channelId, at);
    const keeps = (id: number): boolean => keepsAccess(id, since, reader, directory);
    if (wasIn({ channelId, since }, since) || keeps(channelId)) return false;
    const gotIt = stays.slice(0, index).some((stay) => wasIn(stay, stay.since));
    return wasIn(left, since) || (gotIt && keeps(left.channelId));
  });
}

/** Whether a user who is not subscribed keeps access to a channel's messages: members see public channels. */
function keepsAccess(channelId: number, position: Position, { _id }: UserRecord, directory: Directory): boolean {
  const sight = directory.channel(channelId)?.sightIntervals.find((interval) => covers([interval], position));
  const role = directory.roleAfter(_id, position);
  return (sight?.seers.roles.includes(ROLES.member) ?? false) && role !== null && role !== ROLES.guest;
}
