import type { Stay } from '../../../../../projections/messages/message-blocks.js';
import type { MessageMoves, MoveHistoryDocument } from '../../../../../projections/messages/move-history.js';
import type { TopicPlace } from '../../../../events/messages/topics.events.js';
import type { Position } from '../../../../platform/kernel/position.js';

/** The fields that tell the channels that a message has been in. */
export interface MovedMessage extends Pick<MessageMoves, 'arrivedPosition' | 'firstChannelId' | 'between'> {
  readonly sentPosition: Position;
  /** The present channel; absent for direct messages. */
  readonly channelId?: number;
}

/** The channels that a message had been in before the event at a position, oldest first. */
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
 * The place of a message at the event at a position, as far back as its move history goes.
 * @param history the message's newest move history
 */
export function placeAt(
  position: Position,
  { channelId, topic }: TopicPlace,
  history?: MoveHistoryDocument,
): TopicPlace {
  const next = history?.moves.find((move) => move.position >= position);
  return next?.from ?? { channelId, topic };
}
