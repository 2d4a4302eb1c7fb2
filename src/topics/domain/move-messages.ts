import type { TopicsPolicy } from '../../channels/domain/channels.settings.js';
import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import {
  EMPTY_TOPIC_DISPLAY_NAME,
  RESOLVED_PREFIX,
  requireTopicAllowed,
  topicNamed,
} from '../../messages/domain/topic-name.js';
import {
  type LimitedMove,
  type MovableMessages,
  type MoveLimits,
  movableSince,
  requireYoungEnough,
} from './move-limits.js';
import {
  type MessagesMoved,
  type PropagateMode,
  type ReachedIds,
  resolutionOf,
  type TopicPlace,
} from './topics.events.js';
import type { TopicsState } from './topics.state.js';

export class MoveMessages {
  constructor(
    readonly anchorId: number,
    readonly to: {
      /** As the mover writes it; null: the topic stays. */
      readonly topic: string | null;
      /** null: the channel stays. */
      readonly channelId: number | null;
    },
    readonly options: {
      readonly propagateMode: PropagateMode;
      readonly notices: { readonly oldThread: boolean; readonly newThread: boolean };
      /** Of what the mover has seen of the message's words; null: they do not say. */
      readonly prevContentSha256: string | null;
      /** The words change with the same request: it is no fault then where the message stays where it is. */
      readonly editsContent: boolean;
    },
    readonly moverId: number,
    readonly by: CommandContext,
  ) {}
}

/** A channel that messages are to be moved to. */
export interface Destination {
  readonly channelId: number;
  readonly isArchived: boolean;
  readonly mayPost: boolean;
}

/** What is known of others when messages are moved (D4), no older than the last move out of the channel. */
export interface MoveFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Where the anchor is; null: in no channel. */
  readonly from: TopicPlace | null;
  readonly anchorSentAt: number;
  /** Hexadecimal. */
  readonly contentSha256: string;
  /** Where the channel changes: null, where the mover sees no such channel. */
  readonly destination: Destination | null;
  /** Of the channel where the messages will be. */
  readonly topicsPolicy: Exclude<TopicsPolicy, 'inherit'>;
  /** As whoever began it has written it, where there is such a topic already. */
  readonly topicAsBegun: string | null;
  readonly mayMoveOut: boolean;
  readonly mayMoveWithin: boolean;
  readonly mayResolve: boolean;
  readonly isExempt: boolean;
  readonly limits: MoveLimits;
  readonly extent: MoveExtent;
}

/** The topic as the mover sees it. */
export interface MoveExtent extends MovableMessages {
  /** null: all of it. */
  readonly reach: readonly ReachedIds[] | null;
  /** Of `total`: the anchor and what is newer. */
  readonly following: number;
  /** How many there are that the mover does not see. */
  readonly hidden: number;
}

/** The rules of api.md, endpoint 2, for topic and channel. */
export const decideMoveMessages: Decide<MoveMessages, TopicsState, MessagesMoved, MoveFacts> = (command, _, facts) => {
  const { anchorId, options } = command;
  const { propagateMode, notices } = options;
  const { anchorSentAt, contentSha256, extent, limits, now } = facts;
  const from = facts.from ?? refuse(command.to.channelId === null ? 'DIRECT_HAS_NO_TOPIC' : 'DIRECT_HAS_NO_CHANNEL');
  const asked = placeAsked(command, from);
  if (options.editsContent && command.to.channelId !== null) refuse('CONTENT_WITH_CHANNEL');
  if (options.prevContentSha256 !== null && options.prevContentSha256.toLowerCase() !== contentSha256)
    refuse('MESSAGE_EDITED_MEANWHILE');
  if (asked.channelId === from.channelId && asked.topic === from.topic) {
    return options.editsContent ? [] : refuse('NOTHING_TO_EDIT');
  }
  const move = limitedMove(command, from, asked, facts.isExempt);
  requireAllowed(move, facts);
  requireTopicAllowed(asked.topic, facts.topicsPolicy);
  requireYoungEnough(propagateMode, anchorSentAt, movableSince(move, limits, now), extent);
  const messageCount = countOf(propagateMode, extent);
  return [
    {
      type: 'MessagesMoved',
      data: {
        anchorId,
        propagateMode,
        from,
        to: { channelId: asked.channelId, topic: facts.topicAsBegun ?? asked.topic },
        reach: propagateMode === 'change_one' ? null : extent.reach,
        messageCount,
        isWholeTopic: messageCount === extent.total + extent.hidden,
        ...(facts.topicAsBegun !== null && { joinsTopic: true }),
        notices,
      },
    },
  ];
};

/** Where the mover wants the message to be. @throws DomainError as `topicNamed` does, EMPTY_TOPIC_RESOLVED */
export function placeAsked({ to }: Pick<MoveMessages, 'to'>, from: TopicPlace): TopicPlace {
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
  if (move.isResolution) {
    if (!facts.mayResolve) refuse('MAY_NOT_RESOLVE_TOPIC');
  } else if (move.changesTopic && !facts.mayMoveWithin) refuse('MAY_NOT_EDIT_MESSAGE');
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
