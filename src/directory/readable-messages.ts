import { ROLES } from '../events/shared/role.js';
import { type Position, START } from '../platform/kernel/position.js';
import type { Directory } from './directory.js';
import type { PositionInterval, UserRecord } from './directory.records.js';
import { may } from './permissions.js';

/** The facts that decide who may read a message in a channel. */
export interface ChannelMessagePlace {
  readonly type: 'channel';
  readonly channelId: number;
  readonly sentPosition: Position;
  /** When the message came to this channel; absent: when it was sent. */
  readonly arrivedPosition?: Position;
  /** The channel that the message was sent to; absent: `channelId`. */
  readonly firstChannelId?: number;
  /** Bots that got the message where it was sent to, because it mentions them. */
  readonly calledBotIds?: readonly number[];
}

/** The facts that decide who may read a message. */
type MessagePlace = (ChannelMessagePlace | { readonly type: 'direct'; readonly participants: readonly number[] }) & {
  /** null once the message is deleted. */
  readonly text: object | string | null;
};

/** Intervals of `sentPosition`, both ends excluded, in order. */
export type Reach = readonly PositionInterval[];

export const ALL: Reach = [{ from: START, to: null }];
const NOTHING: Reach = [];

/**
 * The messages of a channel that a reader may read. Members read all of a public channel. Subscribers, and users with a
 * permission to subscribe themselves or others, read a private channel. Guests read the channels they subscribe to.
 * In a private channel, and for guests, a channel without history for new subscribers shows a subscriber the messages
 * sent while subscribed.
 */
export function channelReach(reader: UserRecord, channelId: number, directory: Directory): Reach {
  const channel = directory.channel(channelId);
  if (!channel || !may(reader, { channel, to: 'read' }, directory)) return NOTHING;
  if (channel.historyPublicToSubscribers || (!channel.inviteOnly && reader.role !== ROLES.guest)) return ALL;
  return directory.isSubscribed(reader._id, channelId) ? subscribedIntervals(reader, channelId, directory) : NOTHING;
}

/**
 * The messages that are the reader's own history: sent while the reader was subscribed to the channel, if the reader
 * may still read it.
 */
export function channelHistory(reader: UserRecord, channelId: number, directory: Directory): Reach {
  return channelReach(reader, channelId, directory).length === 0
    ? NOTHING
    : subscribedIntervals(reader, channelId, directory);
}

/**
 * Whether the reader may read a message named by its id. If only a part of the channel is readable, the time at which
 * the message came to the channel counts.
 */
export function mayRead(reader: UserRecord, message: MessagePlace, directory: Directory): boolean {
  if (message.text === null) return false;
  if (message.type === 'direct') return message.participants.includes(reader._id);
  return isReached(channelReach(reader, message.channelId, directory), message) || isCalled(reader, message);
}

/** Bots that are called keep the message until it goes to another channel. */
const isCalled = ({ _id }: UserRecord, { calledBotIds, firstChannelId }: Placed): boolean =>
  firstChannelId === undefined && (calledBotIds?.includes(_id) ?? false);

/**
 * Whether a message is in the reader's own history: the reader received it when it was sent, in whatever channel, and
 * may still read it in its present place.
 */
export function isInHistory(reader: UserRecord, message: MessagePlace, directory: Directory): boolean {
  if (!mayRead(reader, message, directory)) return false;
  if (message.type === 'direct') return true;
  return wasReceived(reader, message, directory);
}

/** The place of a channel message. */
type Placed = Omit<ChannelMessagePlace, 'type'>;

/** @param reach of the channel that the message is in */
export function isReached(reach: Reach, { sentPosition, arrivedPosition = sentPosition }: Placed): boolean {
  return reaches(reach, arrivedPosition);
}

/** Whether the reader was subscribed to the channel that the message was sent to, when it was sent, or is called by it. */
export function wasReceived(reader: UserRecord, message: Placed, directory: Directory): boolean {
  const { channelId, firstChannelId = channelId, sentPosition } = message;
  return reaches(subscribedIntervals(reader, firstChannelId, directory), sentPosition) || isCalled(reader, message);
}

function reaches(reach: Reach, position: Position): boolean {
  return reach.some(({ from, to }) => from < position && (to === null || position < to));
}

/** When the reader was subscribed to a channel. */
export function subscribedIntervals(reader: UserRecord, channelId: number, directory: Directory): Reach {
  return directory.subscriptionsOf(reader._id).get(channelId)?.intervals ?? NOTHING;
}
