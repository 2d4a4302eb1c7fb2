import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { type Position, START } from '../../kernel/position.js';
import { type AlertWordHistory, NO_ALERT_WORDS } from '../../personal/queries/alert-words.js';
import { OWN_FLAGS, type OwnFlag } from '../domain/read-state.events.js';
import type { ReadState } from './read-state.js';

/** What of a message its reader's flags depend on; a document of the `messages` projection is one. */
export type FlaggedMessage = Pick<MessageDocument, '_id' | 'sentPosition' | 'senderId' | 'readBySender'> &
  ({ readonly type: 'direct' } | { readonly type: 'channel'; readonly channelId: number });

/** The flags that a reader has on messages they may read, worked out when they are read (D9). */
export class OwnFlags {
  constructor(
    readonly reader: UserRecord,
    readonly state: ReadState,
    readonly directory: Directory,
    /** Needed where it is asked which messages have one. */
    readonly alertWords: AlertWordHistory = NO_ALERT_WORDS,
  ) {}

  has(flag: OwnFlag, message: FlaggedMessage): boolean {
    return flag === 'read' ? this.isRead(message) : this.state.has(flag, message._id);
  }

  /**
   * What was sent to somebody starts unread, unless they sent it themselves in a program that people read in. Nothing is
   * unread in a channel that one has left; and what was sent before one came, or came back, is so only by a mark.
   */
  isRead(message: FlaggedMessage): boolean {
    const since = message.type === 'channel' ? this.subscribedSince(message.channelId) : START;
    if (since === null) return true;
    const marked = this.state.isMarkedRead(message, since);
    return marked ?? (startedRead(this.reader, message) || message.sentPosition <= since);
  }

  /** Those that are set, in the API's order. */
  list(message: FlaggedMessage): OwnFlag[] {
    return OWN_FLAGS.filter((flag) => this.has(flag, message));
  }

  /** null: they are not. */
  private subscribedSince(channelId: number): Position | null {
    const last = this.directory.subscriptionsOf(this.reader._id).get(channelId)?.intervals.at(-1);
    return last?.to === null ? last.from : null;
  }
}

/** Whether a message started read: who sends in a program that people read in has seen it. */
export function startedRead(reader: UserRecord, message: Pick<MessageDocument, 'senderId' | 'readBySender'>): boolean {
  return message.senderId === reader._id && message.readBySender;
}
