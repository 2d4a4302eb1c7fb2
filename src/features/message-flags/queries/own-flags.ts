import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { PositionInterval, UserRecord } from '../../../directory/directory.records.js';
import { covers } from '../../../directory/intervals.js';
import { OWN_FLAGS, type OwnFlag } from '../../../events/read-state/read-state.events.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { type AlertWordHistory, NO_ALERT_WORDS } from '../../personal/services/alert-words.js';
import type { FlaggedMessage } from './flagged-message.js';
import { isLostSince } from './lost-messages.js';
import type { ReadState } from './read-state.js';

/** The intervals in which a user was subscribed to a channel; undefined: never. */
type SubscribedIntervals = (channelId: number) => readonly PositionInterval[] | undefined;

/**
 * Whether a message is read. A message sent to the reader starts unread, unless the reader sent it in a client with a
 * user interface, or had its sender muted. Nothing is unread in a channel that the reader is not in: a message that is
 * moved there is hidden, and is as it was when it comes back. Messages that were sent to others, and those sent or moved
 * to a channel before the reader's last subscription, are unread only by a mark.
 */
export function isRead(
  message: FlaggedMessage,
  reader: Pick<UserRecord, '_id'>,
  state: ReadState,
  subscribed: SubscribedIntervals,
): boolean {
  const here = message.type === 'channel' ? lastingSince(subscribed(message.channelId)) : START;
  if (here === null) return true;
  const marked = state.isMarkedRead(message, here);
  if (marked !== null) return marked;
  if (startedRead(reader, message) || state.arrivedRead(message)) return true;
  if (message.type === 'direct') return false;
  const { sentPosition, firstChannelId, arrivedPosition = sentPosition } = message;
  const wasReceived = firstChannelId === undefined || covers(subscribed(firstChannelId), sentPosition);
  return !wasReceived || arrivedPosition <= here;
}

const lastingSince = (intervals: readonly PositionInterval[] = []): Position | null => {
  const last = intervals.at(-1);
  return last?.to === null ? last.from : null;
};

/** The flags that a reader has on messages they may read, computed when they are read (D9). */
export class OwnFlags {
  private readonly subscribed: SubscribedIntervals;

  constructor(
    readonly reader: UserRecord,
    readonly state: ReadState,
    readonly directory: Directory,
    /** Needed to find messages with alert words. */
    readonly alertWords: AlertWordHistory = NO_ALERT_WORDS,
  ) {
    this.subscribed = (channelId) => directory.subscriptionsOf(reader._id).get(channelId)?.intervals;
  }

  has(flag: OwnFlag, message: FlaggedMessage): boolean {
    if (flag === 'read') return this.isRead(message);
    if (!this.state.has(flag, message._id)) return false;
    return flag !== 'starred' || !isLostSince(this.state.starredAt(message._id), message, this.reader, this.directory);
  }

  isRead(message: FlaggedMessage): boolean {
    return isRead(message, this.reader, this.state, this.subscribed);
  }

  /** The flags that are set, in the API's order. */
  list(message: FlaggedMessage): OwnFlag[] {
    return OWN_FLAGS.filter((flag) => this.has(flag, message));
  }
}

/** Whether a message started read: its sender has seen it if it was sent in a client with a user interface. */
export function startedRead(
  reader: Pick<UserRecord, '_id'>,
  message: Pick<MessageDocument, 'senderId' | 'readBySender'>,
): boolean {
  return message.senderId === reader._id && message.readBySender;
}
