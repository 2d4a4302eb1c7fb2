import type { DomainEvent } from '../../kernel/event.js';
import { defineEvent } from '../../kernel/event-definition.js';
import { RESOLVED_PREFIX } from '../../messages/domain/topic-name.js';

/** Moves out of a channel's topics, in order (D2). */
export const topicsStream = (channelId: number): string => `topics-${channelId}`;

export const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const;

export type PropagateMode = (typeof PROPAGATE_MODES)[number];

export interface TopicPlace {
  readonly channelId: number;
  readonly topic: string;
}

/** From one message id to another, both included; null: without an end. */
export type ReachedIds = readonly [from: number, to: number | null];

/**
 * An intention (D5), small whatever it moves: it is applied to the messages that are in the topic at this position of
 * the log. `isMoved` says which of them it takes.
 */
export type MessagesMoved = DomainEvent<
  'MessagesMoved',
  {
    /** The message that the mover named. */
    readonly anchorId: number;
    readonly propagateMode: PropagateMode;
    /** Where the anchor was. */
    readonly from: TopicPlace;
    /** Spelled as whoever began it has written it. */
    readonly to: TopicPlace;
    /** What of the channel the mover can see, ascending; null: all of it. */
    readonly reach: readonly ReachedIds[] | null;
    /** How many messages the mover could see go, and whether none of the topic's was left, when this was decided. */
    readonly messageCount: number;
    readonly isWholeTopic: boolean;
    /** There were messages where they go. Absent: they begin a topic. */
    readonly joinsTopic?: true;
    /** Where it is to be announced. */
    readonly notices: { readonly oldThread: boolean; readonly newThread: boolean };
  }
>;

export type TopicsEvent = MessagesMoved;

export const topicsEvents = [defineEvent<MessagesMoved>({ type: 'MessagesMoved', version: 1 })];

/** Whether a move takes a message that is in the topic when it happens. */
export function isMoved(move: MessagesMoved['data'], messageId: number): boolean {
  if (move.propagateMode === 'change_one') return messageId === move.anchorId;
  if (move.propagateMode === 'change_later' && messageId < move.anchorId) return false;
  return move.reach === null || move.reach.some(([from, to]) => from <= messageId && (to === null || messageId <= to));
}

/** null for a move that does something else besides, or to a part of a topic. */
export function resolutionOf({
  propagateMode,
  from,
  to,
}: Pick<MessagesMoved['data'], 'propagateMode' | 'from' | 'to'>): 'resolved' | 'unresolved' | null {
  if (from.channelId !== to.channelId || propagateMode !== 'change_all') return null;
  if (to.topic === RESOLVED_PREFIX + from.topic) return 'resolved';
  return from.topic === RESOLVED_PREFIX + to.topic ? 'unresolved' : null;
}
