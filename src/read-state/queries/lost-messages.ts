import type { Stay } from '../../../projections/message-blocks.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { covers } from '../../directory/intervals.js';
import { type Position, START } from '../../kernel/position.js';
import { ROLES } from '../../kernel/role.js';
import type { FlaggedMessage } from './flagged-message.js';

/** The channels that a message has been in, one after the other; the last is where it is. None where it has stayed. */
export function staysOf(message: FlaggedMessage & { readonly type: 'channel' }): readonly Stay[] {
  const { channelId, firstChannelId, sentPosition, arrivedPosition, between = [] } = message;
  if (firstChannelId === undefined || arrivedPosition === undefined) return [];
  return [{ channelId: firstChannelId, since: sentPosition }, ...between, { channelId, since: arrivedPosition }];
}

/**
 * Whether a message has been moved out of its reader's reach since a position: their clients have been told that it is
 * gone, and have dropped what they had of it.
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
    const keeps = (id: number): boolean => keepsWhatIsIn(id, since, reader, directory);
    if (wasIn({ channelId, since }, since) || keeps(channelId)) return false;
    const gotIt = stays.slice(0, index).some((stay) => wasIn(stay, stay.since));
    return wasIn(left, since) || (gotIt && keeps(left.channelId));
  });
}

/** Whether who is not in a channel has what they have got of what is there: members see what is public. */
function keepsWhatIsIn(channelId: number, position: Position, { _id }: UserRecord, directory: Directory): boolean {
  const sight = directory.channel(channelId)?.sightIntervals.find((interval) => covers([interval], position));
  const role = directory.roleAfter(_id, position);
  return (sight?.seers.roles.includes(ROLES.member) ?? false) && role !== null && role !== ROLES.guest;
}
