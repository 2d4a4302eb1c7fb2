import { resolutionOf, type TopicPlace } from '../../src/events/messages/topics.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import { derivedId } from '../../src/platform/kernel/ids.js';
import type { Position } from '../../src/platform/kernel/position.js';
import type { Stay } from './message-blocks.js';

/** A move of a message. */
export interface MessageMove {
  /** Position of its MessagesMoved in the log. */
  readonly position: Position;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly moverId: number | null;
  readonly from: TopicPlace;
  readonly to: TopicPlace;
  /** The message that the same request has edited before, and the revision of its content. Absent: there is none. */
  readonly edit?: { readonly messageId: number; readonly contentRevision: number };
}

/**
 * A message's own record of its moves; absent without any. It is small and does not grow with each move, because each
 * move writes it again for every message.
 */
export interface MessageMoves {
  /** Id of the message's move history. */
  readonly journey?: string;
  readonly sentTo?: TopicPlace;
  /** Position of the move to the current channel; absent if the message never changed channel. */
  readonly arrivedPosition?: Position;
  /** The channel that the message was sent to; absent as `arrivedPosition` is. */
  readonly firstChannelId?: number;
  /** Stays in channels between the first and the current; absent without any. */
  readonly between?: readonly Stay[];
}

/** The moves that some messages share, one after the other. Written once, and never changed. */
export interface MoveHistoryDocument extends StoredDocument {
  readonly _id: string;
  /** The newest moves, oldest first. */
  readonly moves: readonly MessageMove[];
  /** Id of the history before the first of `moves`; absent if the messages were sent there. */
  readonly before?: string;
  /** Time of the last move other than a resolution of the topic or its reversal; milliseconds since 1970. */
  readonly movedAt?: number;
  /** Position of the last move. */
  readonly position: Position;
}

export const MOVE_HISTORIES = 'journeys';

const MOST_MOVES = 64;
const KEPT_OF_THEM = 32;

/** @param before null: the messages had not been moved */
export function historyAfter(before: MoveHistoryDocument | null, move: MessageMove): MoveHistoryDocument {
  const { position } = move;
  const { moves, before: earlier } = chapterOf(before);
  const movedAt = isResolution(move) ? before?.movedAt : move.at;
  return {
    _id: idAfter(before?._id, position),
    moves: [...moves, move],
    ...(earlier !== undefined && { before: earlier }),
    ...(movedAt !== undefined && { movedAt }),
    position,
  };
}

/** The part of a history that the next history repeats. */
function chapterOf(journey: MoveHistoryDocument | null): Pick<MoveHistoryDocument, 'moves' | 'before'> {
  if (!journey) return { moves: [] };
  const { moves, before } = journey;
  if (moves.length < MOST_MOVES) return before === undefined ? { moves } : { moves, before };
  const left = moves.slice(0, -KEPT_OF_THEM);
  const end = left.reduce((id: string | undefined, { position }) => idAfter(id, position), before);
  return { moves: moves.slice(-KEPT_OF_THEM), ...(end !== undefined && { before: end }) };
}

/** The same moves give the same id, so that a repeated event writes the same documents. */
const idAfter = (journey: string | undefined, position: Position): string =>
  derivedId('journey', journey ?? '', position);

/** A message's record after a move. @param before its record until then */
export function movesAfter(before: MessageMoves, { position, from, to }: MessageMove, journey: string): MessageMoves {
  const { sentTo = from, firstChannelId = from.channelId, arrivedPosition, between = [] } = before;
  if (from.channelId === to.channelId) return { journey, sentTo };
  const stays =
    arrivedPosition === undefined ? [] : [...between, { channelId: from.channelId, since: arrivedPosition }];
  return { journey, sentTo, arrivedPosition: position, firstChannelId, ...(stays.length > 0 && { between: stays }) };
}

/** The move resolved a topic, or reversed that: for readers, the messages stay in their topic. */
const isResolution = ({ from, to }: MessageMove): boolean =>
  resolutionOf({ propagateMode: 'change_all', from, to }) !== null;
