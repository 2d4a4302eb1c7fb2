import type { Stay } from '../../../projections/message-blocks.js';
import type { MessageMoves } from '../../../projections/message-moves.js';
import type { Position } from '../../kernel/position.js';
import type { TopicPlace } from '../../topics/domain/topics.events.js';

/** What tells where a channel's message has been. */
export interface MovedMessage extends Pick<MessageMoves, 'moves'> {
  readonly sentPosition: Position;
  /** Where it is now. */
  readonly channelId?: number;
}

/** The channels that a message had been in by the event at a position, one after the other. */
export function staysBefore(
  position: Position,
  { sentPosition, channelId, moves = [] }: MovedMessage,
): readonly Stay[] {
  const first = moves[0]?.from.channelId ?? channelId;
  if (first === undefined) return [];
  const stays: Stay[] = [{ channelId: first, since: sentPosition }];
  for (const { position: since, to } of moves) {
    if (since < position && to.channelId !== stays.at(-1)?.channelId) stays.push({ channelId: to.channelId, since });
  }
  return stays;
}

/** Where a message was when the event at a position happened. */
export function placeAt(position: Position, message: TopicPlace & Pick<MessageMoves, 'moves'>): TopicPlace {
  const { channelId, topic, moves = [] } = message;
  const next = moves.find((move) => move.position >= position);
  return next?.from ?? { channelId, topic };
}
