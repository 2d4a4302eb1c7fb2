import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import type { Filter } from '../../document-store/document-store.js';
import type { OwnFlags } from '../../read-state/queries/own-flags.js';
import { type IsFlagged, isInNarrow, narrowFilter } from '../domain/narrow-match.js';
import type { Narrow, NarrowCondition } from '../domain/narrow-resolve.js';
import { type Arrivals, arrivalLanes } from './arrivals.js';
import { hasAlertWord, mentionFlags } from './call-flags.js';
import { calleeLanes } from './callee-lanes.js';
import { ALL, channelHistory, channelReach, isInHistory, mayRead, type Reach } from './readable-messages.js';
import type { TopicPolicies } from './topic-policies.js';

/** What stands in a view's windows and reaches, and orders what is read; ids and positions are in the same order. */
export type Order = 'sentPosition' | '_id';

/** Messages that one index lists in order of `sentPosition`: those with this value, as far as `reach` goes. */
export interface Lane {
  readonly field: 'channelId' | 'dmKey' | 'participants' | 'senderId' | 'has' | 'callees' | 'firstChannelId' | '_id';
  readonly value: number | string;
  readonly reach: Reach;
  /** Absent: all topics of the channel. */
  readonly topicKeys?: readonly string[];
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
  /** Words are found in the order of ids; then lanes reach from id to id (within-ids). */
  readonly order: Order;
}

/**
 * A narrow to a channel shows all that the reader may read of it, a narrow to an id that message, and one to flags what
 * has them; any other is a search of the reader's own history.
 */
export function readableView(
  narrow: Narrow,
  reader: UserRecord,
  own: OwnFlags,
  directory: Directory,
  arrivals: Arrivals,
  topics?: TopicPolicies,
): MessageView {
  if (!reachesOut(narrow, own)) return historyView(narrow, reader, own, directory, arrivals, topics);
  return view({ narrow, reader, own, directory, arrivals, topics, isAllowed: mayRead, reachOf: channelReach });
}

/** Whether a narrow shows more than the reader's own history. */
export function reachesOut({ required }: Narrow, { state }: OwnFlags): boolean {
  if (required.some(({ kind }) => kind === 'unread')) return state.hasMarks;
  return required.some(({ kind }) => REACHES_OUT.includes(kind));
}

/** The narrow within the reader's own history: what was sent to them. */
export function historyView(
  narrow: Narrow,
  reader: UserRecord,
  own: OwnFlags,
  directory: Directory,
  arrivals: Arrivals,
  topics?: TopicPolicies,
): MessageView {
  return view({ narrow, reader, own, directory, arrivals, topics, isAllowed: isInHistory, reachOf: channelHistory });
}

/** What somebody has starred is theirs, whether or not it was sent to them. */
const REACHES_OUT: readonly NarrowCondition['kind'][] = ['channel', 'channels', 'id', 'starred'];

/** Without marks, what is unread is of the reader's history, wherever it is. */
const asksUnread = ({ required }: Narrow): boolean => required.some(({ kind }) => kind === 'unread');

interface Viewing {
  readonly narrow: Narrow;
  readonly reader: UserRecord;
  readonly own: OwnFlags;
  readonly directory: Directory;
  readonly arrivals: Arrivals;
  /** Needed where the narrow asks for topics that are followed or muted. */
  readonly topics: TopicPolicies | undefined;
  readonly isAllowed: typeof mayRead;
  readonly reachOf: typeof channelReach;
}

function view(viewing: Viewing): MessageView {
  const { narrow, reader, own, directory, topics, isAllowed } = viewing;
  const where = narrowFilter(narrow);
  return {
    lanes: where ? lanesOf(viewing) : [],
    where: where ?? {},
    includes: (message) =>
      isInNarrow(narrow, message, flagsOf(message, own, topics)) && isAllowed(reader, message, directory),
    order: 'sentPosition',
    ...(asksUnread(narrow) && { passOver: (id, direction) => own.state.nextUnread(id, direction) }),
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

function lanesOf(viewing: Viewing): Lane[] {
  const { narrow, reader, own, directory, topics, isAllowed, reachOf } = viewing;
  const required = <K extends NarrowCondition['kind']>(kind: K) =>
    narrow.required.find((condition): condition is Extract<NarrowCondition, { kind: K }> => condition.kind === kind);
  const channelLane = (channelId: number): Lane => ({
    field: 'channelId',
    value: channelId,
    reach: reachOf(reader, channelId, directory),
  });
  const arrived = (isWanted: (channelId: number) => boolean): Lane[] =>
    arrivalLanes(viewing.arrivals, isWanted, isAllowed === isInHistory, reader, directory);
  const id = required('id');
  if (id) return [{ field: '_id', value: id.messageId, reach: ALL }];
  if (required('starred')) return own.state.ids('starred').map((value) => ({ field: '_id', value, reach: ALL }));
  if (required('mentioned')) return calleeLanes(reader, directory);
  const channel = required('channel');
  if (channel) return [channelLane(channel.channelId), ...arrived((one) => one === channel.channelId)];
  const conversation = required('conversation');
  if (conversation) return [{ field: 'dmKey', value: conversation.dmKey, reach: ALL }];
  for (const as of ['followed', 'muted'] as const) {
    if (!topics || !required(as)) continue;
    const places = topics.places(as);
    const lanes = places.map(({ channelId, topicKeys }) => ({
      ...channelLane(channelId),
      ...(topicKeys && { topicKeys }),
    }));
    return [...lanes, ...arrived((one) => places.some(({ channelId }) => channelId === one))];
  }
  const has = required('has');
  // By words, they are found faster.
  if (has && !required('search')) return [{ field: 'has', value: has.what, reach: ALL }];
  const direct: Lane = { field: 'participants', value: reader._id, reach: ALL };
  if (required('direct') || required('participants')) return [direct];
  const sender = required('sender');
  const isOfTopics = required('topic') ?? required('resolved');
  if (sender && !isOfTopics) return [{ field: 'senderId', value: sender.userId, reach: ALL }];
  const channels = [...channelsLeft(viewing).map(channelLane), ...arrived(() => true)];
  return isOfTopics || required('channels') ? channels : [direct, ...channels];
}

/** Of a search of many channels: those that the narrow does not rule out. */
function channelsLeft({ narrow, reader, directory, topics }: Viewing): number[] {
  const { required, excluded } = narrow;
  // Nothing is unread in a channel that one has left.
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
