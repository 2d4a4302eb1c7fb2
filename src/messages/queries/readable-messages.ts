import type { ChannelMessageDocument, MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { PositionInterval, UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import { type Position, START } from '../../kernel/position.js';
import { ROLES } from '../../kernel/role.js';

/** Stretches of the log, in the space of `sentPosition`, both ends excluded, in order. */
export type Reach = readonly PositionInterval[];

export const ALL: Reach = [{ from: START, to: null }];
const NOTHING: Reach = [];

/**
 * Which of a channel's messages a reader may read. Members read all of a public channel. A private one, and any one for
 * a guest, is read by who subscribes now, or is given the right to: all of it where new subscribers get the history, else
 * what was sent while they were subscribed.
 */
export function channelReach(reader: UserRecord, channelId: number, directory: Directory): Reach {
  const channel = directory.channel(channelId);
  if (!channel || !may(reader, { channel, to: 'read' }, directory)) return NOTHING;
  if (channel.historyPublicToSubscribers || (!channel.inviteOnly && reader.role !== ROLES.guest)) return ALL;
  return directory.isSubscribed(reader._id, channelId) ? subscribedIntervals(reader, channelId, directory) : NOTHING;
}

/**
 * Which of a channel's messages are the reader's own history: what was sent while they were subscribed, as far as they
 * may still read it.
 */
export function channelHistory(reader: UserRecord, channelId: number, directory: Directory): Reach {
  return channelReach(reader, channelId, directory).length === 0
    ? NOTHING
    : subscribedIntervals(reader, channelId, directory);
}

/**
 * Whether the reader may read a message that they name by its id. Where only a part of a channel is read, what counts is
 * when the message came there.
 */
export function mayRead(reader: UserRecord, message: MessageDocument, directory: Directory): boolean {
  if (message.text === null) return false;
  if (message.type === 'direct') return message.participants.includes(reader._id);
  return isReached(channelReach(reader, message.channelId, directory), message);
}

/**
 * Whether a message is in the reader's own history: they got it when it was sent, wherever that was, and may still read
 * it where it is.
 */
export function isInHistory(reader: UserRecord, message: MessageDocument, directory: Directory): boolean {
  if (!mayRead(reader, message, directory)) return false;
  if (message.type === 'direct') return true;
  return wasReceived(reader, message, directory);
}

/** What of a channel message its place is known by. */
type Placed = Pick<ChannelMessageDocument, 'channelId' | 'sentPosition' | 'arrivedPosition' | 'firstChannelId'>;

/** @param reach of the channel where it is */
export function isReached(reach: Reach, { sentPosition, arrivedPosition = sentPosition }: Placed): boolean {
  return covers(reach, arrivedPosition);
}

/** Whether the reader was where a message was sent, when it was. */
export function wasReceived(reader: UserRecord, message: Placed, directory: Directory): boolean {
  const { channelId, firstChannelId = channelId, sentPosition } = message;
  return covers(subscribedIntervals(reader, firstChannelId, directory), sentPosition);
}

function covers(reach: Reach, position: Position): boolean {
  return reach.some(({ from, to }) => from < position && (to === null || position < to));
}

/** When the reader was subscribed to a channel. */
export function subscribedIntervals(reader: UserRecord, channelId: number, directory: Directory): Reach {
  return directory.subscriptionsOf(reader._id).get(channelId)?.intervals ?? NOTHING;
}
