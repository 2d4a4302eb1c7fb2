import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import type { Filter } from '../../document-store/document-store.js';
import { isInNarrow, narrowFilter } from '../domain/narrow-match.js';
import type { Narrow, NarrowCondition } from '../domain/narrow-resolve.js';
import { ALL, channelHistory, channelReach, isInHistory, mayRead, type Reach } from './readable-messages.js';

/** Messages that one index lists in order of `sentPosition`: those with this value, as far as `reach` goes. */
export interface Lane {
  readonly field: 'channelId' | 'dmKey' | 'participants' | 'senderId' | '_id';
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
}

/**
 * A narrow to a channel shows all that the reader may read of it, and a narrow to an id that message; any other is a
 * search of the reader's own history.
 */
export function readableView(narrow: Narrow, reader: UserRecord, directory: Directory): MessageView {
  const namesPlace = narrow.required.some(({ kind }) => kind === 'channel' || kind === 'id');
  return namesPlace ? view(narrow, reader, directory, mayRead, channelReach) : historyView(narrow, reader, directory);
}

/** The narrow within the reader's own history: what was sent to them. */
export function historyView(narrow: Narrow, reader: UserRecord, directory: Directory): MessageView {
  return view(narrow, reader, directory, isInHistory, channelHistory);
}

function view(
  narrow: Narrow,
  reader: UserRecord,
  directory: Directory,
  isAllowed: typeof mayRead,
  reachOf: typeof channelReach,
): MessageView {
  const where = narrowFilter(narrow);
  return {
    lanes: where ? lanesOf(narrow, reader, directory, reachOf) : [],
    where: where ?? {},
    includes: (message) => isInNarrow(narrow, message) && isAllowed(reader, message, directory),
  };
}

function lanesOf(narrow: Narrow, reader: UserRecord, directory: Directory, reachOf: typeof channelReach): Lane[] {
  const required = <K extends NarrowCondition['kind']>(kind: K) =>
    narrow.required.find((condition): condition is Extract<NarrowCondition, { kind: K }> => condition.kind === kind);
  const id = required('id');
  if (id) return [{ field: '_id', value: id.messageId, reach: ALL }];
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

function channelsLeft({ excluded }: Narrow, reader: UserRecord, directory: Directory): number[] {
  const left = new Set(directory.subscriptionsOf(reader._id).keys());
  for (const condition of excluded) if (condition.kind === 'channel') left.delete(condition.channelId);
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
