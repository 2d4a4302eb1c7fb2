import type { ChannelMessageDocument, MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { PositionInterval, UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import { START } from '../../kernel/position.js';
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

/** Whether the reader may read a message that they name by its id. */
export function mayRead(reader: UserRecord, message: MessageDocument, directory: Directory): boolean {
  return allows(reader, message, (channelId) => channelReach(reader, channelId, directory));
}

/** Whether a message is in the reader's own history: they got it when it was sent, and may still read it. */
export function isInHistory(reader: UserRecord, message: MessageDocument, directory: Directory): boolean {
  return allows(reader, message, (channelId) => channelHistory(reader, channelId, directory));
}

function allows(reader: UserRecord, message: MessageDocument, reachOf: (channelId: number) => Reach): boolean {
  if (message.text === null) return false;
  if (message.type === 'direct') return message.participants.includes(reader._id);
  return isWithin(reachOf(message.channelId), message);
}

export function isWithin(reach: Reach, { sentPosition }: Pick<ChannelMessageDocument, 'sentPosition'>): boolean {
  return reach.some(({ from, to }) => from < sentPosition && (to === null || sentPosition < to));
}

function subscribedIntervals(reader: UserRecord, channelId: number, directory: Directory): Reach {
  return directory.subscriptionsOf(reader._id).get(channelId)?.intervals ?? NOTHING;
}
