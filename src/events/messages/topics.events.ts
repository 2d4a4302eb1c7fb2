import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { foldCase } from '../../platform/kernel/text.js';
import { isResolvedName } from './topic-name.js';

/** Moves of messages out of a channel's topics, in order (D2). */
export const topicsStream = (channelId: number): string => `topics-${channelId}`;

export const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const;

export type PropagateMode = (typeof PROPAGATE_MODES)[number];

export interface TopicPlace {
  readonly channelId: number;
  readonly topic: string;
}

/** One id for all spellings of a topic's name. */
export const topicId = (channelId: number, topic: string): string => `${channelId}/${foldCase(topic)}`;

/** A range of message ids, both ends included; null: without end. */
export type ReachedIds = readonly [from: number, to: number | null];

/**
 * An intention (D5), of the same size for any number of messages. Applies to the messages that are in the topic at this
 * position of the log and satisfy `isMoved`.
 */
export type MessagesMoved = DomainEvent<
  'MessagesMoved',
  {
    /** The message that the request named. */
    readonly anchorId: number;
    readonly propagateMode: PropagateMode;
    /** The anchor's place before the move. */
    readonly from: TopicPlace;
    /** The target, with the topic in its first spelling. */
    readonly to: TopicPlace;
    /** The messages of the channel that the mover can see, ascending; null: all. */
    readonly reach: readonly ReachedIds[] | null;
    /** The same request has edited the anchor's content to this revision. Absent: it has not. */
    readonly contentRevision?: number;
    /** Number of moved messages that the mover could see, when the move was decided. */
    readonly messageCount: number;
    /** Whether the move left no message in the topic, when it was decided. */
    readonly isWholeTopic: boolean;
    /** The target topic had messages. Absent: the move begins the topic. */
    readonly joinsTopic?: true;
    /** The topics in which to announce the move. */
    readonly notices: { readonly oldThread: boolean; readonly newThread: boolean };
  }
>;

export type TopicsEvent = MessagesMoved;

export const topicsEvents = [
  defineEvent<MessagesMoved>({
    type: 'MessagesMoved',
    concerns: ({ data: { anchorId, from, to } }) => ({ messageIds: [anchorId], topics: [from, to] }),
    unsealed: { reach: 'ids of messages' },
  }),
];

/** Whether the move applies to a message that is in the topic when the move happens. */
export function isMoved(move: MessagesMoved['data'], messageId: number): boolean {
  if (move.propagateMode === 'change_one') return messageId === move.anchorId;
  if (move.propagateMode === 'change_later' && messageId < move.anchorId) return false;
  return move.reach === null || move.reach.some(([from, to]) => from <= messageId && (to === null || messageId <= to));
}

/** Whether a move only resolves or unresolves a whole topic; null for any other move. */
export function resolutionOf({
  propagateMode,
  from,
  to,
}: Pick<MessagesMoved['data'], 'propagateMode' | 'from' | 'to'>): 'resolved' | 'unresolved' | null {
  if (from.channelId !== to.channelId || propagateMode !== 'change_all') return null;
  if (isResolvedName(to.topic, from.topic)) return 'resolved';
  return isResolvedName(from.topic, to.topic) ? 'unresolved' : null;
}
