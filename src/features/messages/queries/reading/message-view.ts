import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../../directory/directory.js';
import type { UserRecord } from '../../../../directory/directory.records.js';
import {
  ALL,
  channelHistory,
  channelReach,
  isInHistory,
  mayRead,
  type Reach,
} from '../../../../directory/readable-messages.js';
import type { Filter } from '../../../../platform/documents/document-store.js';
import { hasAlertWord, mentionFlags } from '../../../message-flags/queries/content-flags.js';
import type { OwnFlags } from '../../../message-flags/queries/own-flags.js';
import { type IsFlagged, isInNarrow, narrowFilter } from '../../../narrow/domain/narrow-match.js';
import type { Narrow, NarrowCondition } from '../../../narrow/domain/narrow-resolve.js';
import { mentionScans } from './mention-scans.js';
import { type MovedInPairs, movedInScans } from './moved-in.js';
import type { TopicPolicies } from './topic-policies.js';

/**
 * The field that a view's windows and reaches are ranges of, and that orders its messages. Ids and positions have the
 * same order.
 */
export type Order = 'sentPosition' | '_id';

/** Messages that one index lists in order of `sentPosition`: those with the value, within `reach`. */
export interface IndexScan {
  readonly field: 'channelId' | 'dmKey' | 'participants' | 'senderId' | 'has' | 'callees' | 'firstChannelId' | '_id';
  readonly value: number | string;
  readonly reach: Reach;
  /** Absent: all topics of the channel. */
  readonly topicKeys?: readonly string[];
}

/** The messages of a narrow that a reader may see, in an order to be read in. */
export interface MessageView {
  /** Together they list every message of the view. */
  readonly scans: readonly IndexScan[];
  /** Conditions that every message of the view meets besides its scan. */
  readonly where: Filter<MessageDocument>;
  /** Whether a message is in the view. Decides; `scans` and `where` only bound the search. */
  readonly includes: (message: MessageDocument) => boolean;
  /**
   * The nearest id, from this one on, that may be in the view; null if there is none in that direction. Absent:
   * unknown.
   */
  readonly nextCandidate?: (id: number, direction: 1 | -1) => number | null;
  /** A text search, and a list of ids, are in order of ids; the scans' reaches are then ranges of ids. */
  readonly order: Order;
}

/**
 * The messages of a narrow that a reader may read. A narrow to channels, to an id or to starred messages covers all
 * messages that the reader may read, as does a narrow to unread messages if the reader has marked some as unread. Every
 * other narrow covers only the reader's own history.
 */
export function readableView(
  narrow: Narrow,
  reader: UserRecord,
  own: OwnFlags,
  directory: Directory,
  movedIn: MovedInPairs,
  topics?: TopicPolicies,
): MessageView {
  if (!exceedsHistory(narrow, own)) return historyView(narrow, reader, own, directory, movedIn, topics);
  return view({ narrow, reader, own, directory, movedIn, topics, isAllowed: mayRead, reachOf: channelReach });
}

/** Whether a narrow shows more than the reader's own history. */
export function exceedsHistory({ required }: Narrow, { state }: OwnFlags): boolean {
  if (required.some(({ kind }) => kind === 'unread')) return state.hasMarks;
  return required.some(({ kind }) => BEYOND_HISTORY.includes(kind));
}

/** The view of a narrow within the reader's own history: the messages sent to them. */
export function historyView(
  narrow: Narrow,
  reader: UserRecord,
  own: OwnFlags,
  directory: Directory,
  movedIn: MovedInPairs,
  topics?: TopicPolicies,
): MessageView {
  return view({ narrow, reader, own, directory, movedIn, topics, isAllowed: isInHistory, reachOf: channelHistory });
}

/** Whether a view is a list of messages by id. */
export const isOfIds = (scans: readonly IndexScan[]): boolean => scans.every(({ field }) => field === '_id');

/** Starred messages are shown whether or not they were sent to the reader. */
const BEYOND_HISTORY: readonly NarrowCondition['kind'][] = ['channel', 'channels', 'id', 'starred'];

/** Without marks as unread, unread messages are in the reader's history. */
const asksUnread = ({ required }: Narrow): boolean => required.some(({ kind }) => kind === 'unread');

interface ViewRequest {
  readonly narrow: Narrow;
  readonly reader: UserRecord;
  readonly own: OwnFlags;
  readonly directory: Directory;
  readonly movedIn: MovedInPairs;
  /** Needed if the narrow has conditions on followed or muted topics. */
  readonly topics: TopicPolicies | undefined;
  readonly isAllowed: typeof mayRead;
  readonly reachOf: typeof channelReach;
}

function view(request: ViewRequest): MessageView {
  const { narrow, reader, own, directory, topics, isAllowed } = request;
  const where = narrowFilter(narrow);
  const scans = where ? scansOf(request) : [];
  return {
    scans,
    where: where ?? {},
    includes: (message) =>
      isInNarrow(narrow, message, flagsOf(message, own, topics)) && isAllowed(reader, message, directory),
    order: isOfIds(scans) ? '_id' : 'sentPosition',
    ...(asksUnread(narrow) && { nextCandidate: (id, direction) => own.state.nextUnread(id, direction) }),
  };
}

export const flagsOf =
  (message: MessageDocument, own: OwnFlags, topics?: TopicPolicies): IsFlagged =>
  (as) => {
    const { reader, directory, alertWords } = own;
    switch (as) {
      case 'unread':
        return !own.has('read', message);
      case 'starred':
        return own.has('starred', message);
      case 'followed':
      case 'muted':
        return topics?.has(as, message) ?? false;
      case 'mentioned':
        return mentionFlags(reader, message, directory).length > 0 && isInHistory(reader, message, directory);
      case 'alerted':
        return hasAlertWord(message, alertWords) && isInHistory(reader, message, directory);
    }
  };

function scansOf(request: ViewRequest): IndexScan[] {
  const { narrow, reader, own, directory, topics, isAllowed, reachOf } = request;
  const required = <K extends NarrowCondition['kind']>(kind: K) =>
    narrow.required.find((condition): condition is Extract<NarrowCondition, { kind: K }> => condition.kind === kind);
  const channelScan = (channelId: number): IndexScan => ({
    field: 'channelId',
    value: channelId,
    reach: reachOf(reader, channelId, directory),
  });
  const movedInto = (isWanted: (channelId: number) => boolean): IndexScan[] =>
    movedInScans(request.movedIn, isWanted, isAllowed === isInHistory, reader, directory);
  const id = required('id');
  if (id) return [{ field: '_id', value: id.messageId, reach: ALL }];
  if (required('starred')) return own.state.ids('starred').map((value) => ({ field: '_id', value, reach: ALL }));
  if (required('mentioned')) return mentionScans(reader, directory);
  const channel = required('channel');
  if (channel) return [channelScan(channel.channelId), ...movedInto((one) => one === channel.channelId)];
  const conversation = required('conversation');
  if (conversation) return [{ field: 'dmKey', value: conversation.dmKey, reach: ALL }];
  for (const as of ['followed', 'muted'] as const) {
    if (!topics || !required(as)) continue;
    const places = topics.places(as);
    const scans = places.map(({ channelId, topicKeys }) => ({
      ...channelScan(channelId),
      ...(topicKeys && { topicKeys }),
    }));
    return [...scans, ...movedInto((one) => places.some(({ channelId }) => channelId === one))];
  }
  const has = required('has');
  // A text search finds them faster.
  if (has && !required('search')) return [{ field: 'has', value: has.what, reach: ALL }];
  const direct: IndexScan = { field: 'participants', value: reader._id, reach: ALL };
  if (required('direct') || required('participants')) return [direct];
  const sender = required('sender');
  const isOfTopics = required('topic') ?? required('resolved');
  if (sender && !isOfTopics) return [{ field: 'senderId', value: sender.userId, reach: ALL }];
  const channels = [...searchedChannels(request).map(channelScan), ...movedInto(() => true)];
  return isOfTopics || required('channels') ? channels : [direct, ...channels];
}

/** Ids of the channels to search that the narrow does not rule out. */
function searchedChannels({ narrow, reader, directory, topics }: ViewRequest): number[] {
  const { required, excluded } = narrow;
  // Messages in channels that the reader has left are not unread.
  const isUnread = asksUnread(narrow);
  const named = required.flatMap((condition) => (condition.kind === 'channels' ? [new Set(condition.channelIds)] : []));
  const left = new Set(
    isUnread ? directory.subscribedChannelIds(reader._id) : (named[0] ?? directory.subscriptionsOf(reader._id).keys()),
  );
  for (const channelIds of named) for (const id of left) if (!channelIds.has(id)) left.delete(id);
  for (const condition of excluded) {
    if (condition.kind === 'channel') left.delete(condition.channelId);
    else if (condition.kind === 'channels') for (const id of condition.channelIds) left.delete(id);
    else if (condition.kind === 'muted') for (const id of topics?.silentChannels ?? []) left.delete(id);
  }
  return [...left];
}
