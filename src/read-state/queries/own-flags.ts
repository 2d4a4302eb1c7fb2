import type { Stay } from '../../../projections/message-blocks.js';
import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { PositionInterval, UserRecord } from '../../directory/directory.records.js';
import { type Position, START } from '../../kernel/position.js';
import { type AlertWordHistory, NO_ALERT_WORDS } from '../../personal/queries/alert-words.js';
import { OWN_FLAGS, type OwnFlag } from '../domain/read-state.events.js';
import type { FlaggedMessage } from './flagged-message.js';
import { isLostSince, staysOf } from './lost-messages.js';
import type { ReadState } from './read-state.js';

/** When a user was subscribed to a channel; undefined: never. */
export type SubscribedIntervals = (channelId: number) => readonly PositionInterval[] | undefined;

/**
 * What was sent to somebody starts unread, unless they sent it themselves in a program that people read in, or had its
 * sender muted. Nothing is unread in a channel that one has left; and what was sent, or moved, there before one came, or
 * came back, is so only by a mark. What has come through a channel that one was not in is as if it had come anew: it was
 * lost, or read, there.
 */
export function isRead(
  message: FlaggedMessage,
  reader: Pick<UserRecord, '_id'>,
  state: ReadState,
  subscribed: SubscribedIntervals,
): boolean {
  const here = message.type === 'channel' ? lastingSince(subscribed(message.channelId)) : START;
  if (here === null) return true;
  const missed = message.type === 'channel' ? missedSince(message, subscribed) : START;
  const marked = state.isMarkedRead(message, Math.max(here, missed));
  if (marked !== null) return marked;
  if (startedRead(reader, message) || state.arrivedRead(message)) return true;
  if (message.type === 'direct') return false;
  const { sentPosition, arrivedPosition = sentPosition } = message;
  return sentPosition <= missed || arrivedPosition <= here;
}

/**
 * When a message last left a channel that the reader had not been in for as long as it was there; what they get of it
 * since is as new to them.
 */
function missedSince(
  message: FlaggedMessage & { readonly type: 'channel' },
  subscribed: SubscribedIntervals,
): Position {
  let missed = START;
  const stays = staysOf(message);
  stays.slice(1).forEach(({ since: until }, index) => {
    const { channelId, since } = stays[index] as Stay;
    if (!wasThere(subscribed(channelId), since, until)) missed = until;
  });
  return missed;
}

const lastingSince = (intervals: readonly PositionInterval[] = []): Position | null => {
  const last = intervals.at(-1);
  return last?.to === null ? last.from : null;
};

const wasThere = (intervals: readonly PositionInterval[] = [], since: Position, until: Position): boolean =>
  intervals.some(({ from, to }) => from < since && (to === null || until < to));

/** The flags that a reader has on messages they may read, worked out when they are read (D9). */
export class OwnFlags {
  private readonly subscribed: SubscribedIntervals;

  constructor(
    readonly reader: UserRecord,
    readonly state: ReadState,
    readonly directory: Directory,
    /** Needed where it is asked which messages have one. */
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

  /** Those that are set, in the API's order. */
  list(message: FlaggedMessage): OwnFlag[] {
    return OWN_FLAGS.filter((flag) => this.has(flag, message));
  }
}

/** Whether a message started read: who sends in a program that people read in has seen it. */
export function startedRead(
  reader: Pick<UserRecord, '_id'>,
  message: Pick<MessageDocument, 'senderId' | 'readBySender'>,
): boolean {
  return message.senderId === reader._id && message.readBySender;
}
