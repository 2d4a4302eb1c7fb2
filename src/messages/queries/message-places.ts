import type { Stay } from '../../../projections/message-blocks.js';
import type { JourneyDocument, MessageMoves } from '../../../projections/message-journeys.js';
import type { Position } from '../../kernel/position.js';
import type { TopicPlace } from '../../topics/domain/topics.events.js';

/** What tells where a channel's message has been. */
export interface MovedMessage extends Pick<MessageMoves, 'arrivedPosition' | 'firstChannelId' | 'between'> {
  readonly sentPosition: Position;
  /** Where it is now. */
  readonly channelId?: number;
}

/** The channels that a message had been in by the event at a position, one after the other. */
export function staysBefore(
  position: Position,
  { sentPosition, channelId, firstChannelId = channelId, arrivedPosition, between = [] }: MovedMessage,
): readonly Stay[] {
  if (channelId === undefined || firstChannelId === undefined) return [];
  const last = arrivedPosition === undefined ? [] : [{ channelId, since: arrivedPosition }];
  const came = [...between, ...last].filter(({ since }) => since < position);
  return [{ channelId: firstChannelId, since: sentPosition }, ...came];
}

/**
 * Where a message was when the event at a position happened: as far back as the journey tells.
 * @param journey the message's
 */
export function placeAt(position: Position, { channelId, topic }: TopicPlace, journey?: JourneyDocument): TopicPlace {
  const next = journey?.moves.find((move) => move.position >= position);
  return next?.from ?? { channelId, topic };
}
