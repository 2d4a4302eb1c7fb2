import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import type { Filter } from '../../document-store/document-store.js';
import type { OwnFlags } from '../../read-state/queries/own-flags.js';
import { type IsFlagged, isInNarrow, narrowFilter } from '../domain/narrow-match.js';
import type { Narrow, NarrowCondition } from '../domain/narrow-resolve.js';
import { hasAlertWord, mentionFlags } from './call-flags.js';
import { calleeLanes } from './callee-lanes.js';
import { ALL, channelHistory, channelReach, isInHistory, mayRead, type Reach } from './readable-messages.js';

/** Messages that one index lists in order of `sentPosition`: those with this value, as far as `reach` goes. */
export interface Lane {
  readonly field: 'channelId' | 'dmKey' | 'participants' | 'senderId' | 'callees' | '_id';
  readonly value: number | string;
  readonly reach: Reach;
}

/** The messages of a narrow that a reader may see, as something that can be walked in order. */
export interface MessageView {
  /** Together they hold every message of the view. */
  readonly lanes: readonly Lane[];
  /** What every message of the view meets besides its lane. */
  readonly where: Filter<MessageDocument>;
  /** Whether a message is in the view: decides, lanes and `where` only bound the search. */
  readonly includes: (message: MessageDocument) => boolean;
  /** Absent: nothing is known. The nearest id, from this one on, that may be of the view; null where none is that way. */
  readonly passOver?: (id: number, direction: 1 | -1) => number | null;
}

/**
 * A narrow to a channel shows all that the reader may read of it, a narrow to an id that message, and one to flags what
 * has them; any other is a search of the reader's own history.
 */
export function readableView(narrow: Narrow, reader: UserRecord, own: OwnFlags, directory: Directory): MessageView {
  const reachesOut = asksUnread(narrow)
    ? own.state.hasMarks
    : narrow.required.some(({ kind }) => REACHES_OUT.includes(kind));
  if (!reachesOut) return historyView(narrow, reader, own, directory);
  return view(narrow, reader, own, directory, mayRead, channelReach);
}

/** The narrow within the reader's own history: what was sent to them. */
export function historyView(narrow: Narrow, reader: UserRecord, own: OwnFlags, directory: Directory): MessageView {
  return view(narrow, reader, own, directory, isInHistory, channelHistory);
}

/** What somebody has starred is theirs, whether or not it was sent to them. */
const REACHES_OUT: readonly NarrowCondition['kind'][] = ['channel', 'id', 'starred'];

/** Without marks, what is unread is of the reader's history, wherever it is. */
const asksUnread = ({ required }: Narrow): boolean => required.some(({ kind }) => kind === 'unread');

function view(
  narrow: Narrow,
  reader: UserRecord,
  own: OwnFlags,
  directory: Directory,
  isAllowed: typeof mayRead,
  reachOf: typeof channelReach,
): MessageView {
  const where = narrowFilter(narrow);
  return {
    lanes: where ? lanesOf(narrow, reader, own, directory, reachOf) : [],
    where: where ?? {},
    includes: (message) => isInNarrow(narrow, message, flagsOf(message, own)) && isAllowed(reader, message, directory),
    ...(asksUnread(narrow) && { passOver: (id, direction) => own.state.nextUnread(id, direction) }),
  };
}

export const flagsOf =
  (message: MessageDocument, own: OwnFlags): IsFlagged =>
  (as) => {
    const { reader, directory, alertWords } = own;
    switch (as) {
      case 'unread':
        return !own.has('read', message);
      case 'starred':
        return own.has('starred', message);
      case 'mentioned':
        return mentionFlags(reader, message, directory).length > 0 && isInHistory(reader, message, directory);
      case 'alerted':
        return hasAlertWord(message, alertWords) && isInHistory(reader, message, directory);
    }
  };

function lanesOf(
  narrow: Narrow,
  reader: UserRecord,
  own: OwnFlags,
  directory: Directory,
  reachOf: typeof channelReach,
): Lane[] {
  const required = <K extends NarrowCondition['kind']>(kind: K) =>
    narrow.required.find((condition): condition is Extract<NarrowCondition, { kind: K }> => condition.kind === kind);
  const id = required('id');
  if (id) return [{ field: '_id', value: id.messageId, reach: ALL }];
  if (required('starred')) return own.state.ids('starred').map((value) => ({ field: '_id', value, reach: ALL }));
  if (required('mentioned')) return calleeLanes(reader, directory);
  const channel = required('channel');
  if (channel) return channelLanes([channel.channelId], reader, directory, reachOf);
  const conversation = required('conversation');
  if (conversation) return [{ field: 'dmKey', value: conversation.dmKey, reach: ALL }];
  const direct: Lane = { field: 'participants', value: reader._id, reach: ALL };
  if (required('direct')) return [direct];
  const sender = required('sender');
  if (sender && !required('topic')) return [{ field: 'senderId', value: sender.userId, reach: ALL }];
  const channels = channelLanes(channelsLeft(narrow, reader, directory), reader, directory, reachOf);
  return required('topic') ? channels : [direct, ...channels];
}

function channelsLeft(narrow: Narrow, reader: UserRecord, directory: Directory): number[] {
  // Nothing is unread in a channel that one has left.
  const isUnread = asksUnread(narrow);
  const left = new Set(
    isUnread ? directory.subscribedChannelIds(reader._id) : directory.subscriptionsOf(reader._id).keys(),
  );
  for (const condition of narrow.excluded) if (condition.kind === 'channel') left.delete(condition.channelId);
  return [...left];
}

function channelLanes(
  channelIds: readonly number[],
  reader: UserRecord,
  directory: Directory,
  reachOf: typeof channelReach,
): Lane[] {
  return channelIds.map((channelId) => ({
    field: 'channelId',
    value: channelId,
    reach: reachOf(reader, channelId, directory),
  }));
}
