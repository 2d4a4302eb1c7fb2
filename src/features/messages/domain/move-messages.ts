import type { TopicsPolicy } from '../../../events/channels/channels.settings.js';
import {
  EMPTY_TOPIC_DISPLAY_NAME,
  RESOLVED_PREFIX,
  requireTopicAllowed,
  topicNamed,
} from '../../../events/messages/topic-name.js';
import {
  type MessagesMoved,
  type PropagateMode,
  type ReachedIds,
  resolutionOf,
  type TopicPlace,
  type TopicsEvent,
} from '../../../events/messages/topics.events.js';
import { Command, type Decide, type Decider, refuse } from '../../../platform/kernel/deciding.js';
import {
  type LimitedMove,
  type MovableMessages,
  type MoveLimits,
  movableSince,
  requireYoungEnough,
} from './move-limits.js';

/**
 * The moves out of a channel's topics. The places of messages are not decided on: a move names one message, and the
 * messages that go with it follow from the log (D5). The stream's revision orders moves.
 */
export interface TopicsState {
  readonly moves: number;
}

export const topicsOfChannel: Decider<TopicsState, TopicsEvent> = {
  initialState: { moves: 0 },
  evolve: ({ moves }) => ({ moves: moves + 1 }),
};

export class MoveMessages extends Command<{
  anchorId: number;
  to: {
    /** As the mover has written it; null: the topic stays. */
    readonly topic: string | null;
    /** null: the channel stays. */
    readonly channelId: number | null;
  };
  options: {
    readonly propagateMode: PropagateMode;
    readonly notices: { readonly oldThread: boolean; readonly newThread: boolean };
    /** Of the content that the mover has seen; null: not given. */
    readonly prevContentSha256: string | null;
    /** The same request edits the content: it is no error then if the message stays in its place. */
    readonly editsContent: boolean;
    /** Of the content that the same request has edited; null: it has edited none. */
    readonly contentRevision: number | null;
  };
  moverId: number;
}> {}

/** The channel that messages are to be moved to. */
export interface Destination {
  readonly channelId: number;
  readonly isArchived: boolean;
  readonly mayPost: boolean;
}

/** Facts from other streams that a move is decided on (D4), no older than the last move out of the channel. */
export interface MoveFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The anchor's place; null: a conversation. */
  readonly from: TopicPlace | null;
  readonly anchorSentAt: number;
  /** Hexadecimal. */
  readonly contentSha256: string;
  /** The new channel, or the same one if the move stays in it; null if the mover sees no such channel. */
  readonly destination: Destination | null;
  /** Of the channel that the messages move to. */
  readonly topicsPolicy: Exclude<TopicsPolicy, 'inherit'>;
  /** The spelling of the other, existing topic that the messages join; null if there is none. */
  readonly existingTopic: string | null;
  readonly mayMoveOut: boolean;
  readonly mayMoveWithin: boolean;
  readonly mayResolve: boolean;
  readonly isExempt: boolean;
  readonly limits: MoveLimits;
  readonly extent: MoveExtent;
}

/** The topic as the mover sees it. */
export interface MoveExtent extends MovableMessages {
  /** Ranges of ids that the move may take; null: the whole topic. */
  readonly reach: readonly ReachedIds[] | null;
  /** Number of messages of `total` from the anchor on. */
  readonly following: number;
  /** Number of messages that the mover does not see. */
  readonly hidden: number;
}

/** The rules of `PATCH /messages/{message_id}` for topic and channel. */
export const decideMoveMessages: Decide<MoveMessages, TopicsState, MessagesMoved, MoveFacts> = (command, _, facts) => {
  const { anchorId, options } = command;
  const { propagateMode, notices, contentRevision } = options;
  const { anchorSentAt, contentSha256, extent, limits, now } = facts;
  const from = facts.from ?? refuse(command.to.channelId === null ? 'DIRECT_HAS_NO_TOPIC' : 'DIRECT_HAS_NO_CHANNEL');
  const target = targetPlace(command, from);
  if (options.editsContent && command.to.channelId !== null) refuse('CONTENT_WITH_CHANNEL');
  if (options.prevContentSha256 !== null && options.prevContentSha256.toLowerCase() !== contentSha256)
    refuse('MESSAGE_EDITED_MEANWHILE');
  const stays = target.channelId === from.channelId && target.topic === from.topic;
  if (stays && !options.editsContent) refuse('NOTHING_TO_EDIT');
  if (stays) return [];
  const move = limitedMove(command, from, target, facts.isExempt);
  requireAllowed(move, facts);
  requireTopicAllowed(target.topic, facts.topicsPolicy);
  requireYoungEnough(propagateMode, anchorSentAt, movableSince(move, limits, now), extent);
  const messageCount = countOf(propagateMode, extent);
  return [
    {
      type: 'MessagesMoved',
      data: {
        anchorId,
        propagateMode,
        from,
        to: { channelId: target.channelId, topic: facts.existingTopic ?? target.topic },
        reach: propagateMode === 'change_one' ? null : extent.reach,
        ...(contentRevision !== null && { contentRevision }),
        messageCount,
        isWholeTopic: messageCount === extent.total + extent.hidden,
        ...(facts.existingTopic !== null && { joinsTopic: true }),
        notices,
      },
    },
  ];
};

/** The place that the mover asks for. @throws DomainError as `topicNamed` does, EMPTY_TOPIC_RESOLVED */
export function targetPlace({ to }: Pick<MoveMessages, 'to'>, from: TopicPlace): TopicPlace {
  const topic = to.topic === null ? from.topic : topicNamed(to.topic);
  const resolved =
    topic === RESOLVED_PREFIX.trim()
      ? ''
      : topic.startsWith(RESOLVED_PREFIX)
        ? topic.slice(RESOLVED_PREFIX.length)
        : null;
  if (to.topic !== null && resolved !== null && topicNamed(resolved) === '')
    refuse('EMPTY_TOPIC_RESOLVED', { name: EMPTY_TOPIC_DISPLAY_NAME });
  return { channelId: to.channelId ?? from.channelId, topic };
}

export function limitedMove(
  { options: { propagateMode } }: Pick<MoveMessages, 'options'>,
  from: TopicPlace,
  to: TopicPlace,
  isExempt: boolean,
): LimitedMove {
  return {
    changesTopic: from.topic !== to.topic,
    changesChannel: from.channelId !== to.channelId,
    isResolution: resolutionOf({ propagateMode, from, to }) !== null,
    isExempt,
  };
}

function requireAllowed(move: LimitedMove, facts: MoveFacts): void {
  if (move.changesChannel) {
    const { isArchived, mayPost } = facts.destination ?? refuse('INVALID_CHANNEL_ID');
    if (isArchived) refuse('CHANNEL_ARCHIVED');
    if (!facts.mayMoveOut) refuse('MAY_NOT_MOVE_MESSAGE');
    if (!mayPost) refuse('NOT_AUTHORIZED');
  }
  if (move.isResolution && !facts.mayResolve) refuse('MAY_NOT_RESOLVE_TOPIC');
  if (!move.isResolution && move.changesTopic && !facts.mayMoveWithin) refuse('MAY_NOT_EDIT_MESSAGE');
}

function countOf(mode: PropagateMode, { total, following }: MoveExtent): number {
  switch (mode) {
    case 'change_one':
      return 1;
    case 'change_later':
      return following;
    case 'change_all':
      return total;
    default:
      return mode satisfies never;
  }
}
