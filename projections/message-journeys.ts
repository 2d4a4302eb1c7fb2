import type { StoredDocument } from '../src/document-store/document-store.js';
import { derivedId } from '../src/kernel/derived-id.js';
import type { Position } from '../src/kernel/position.js';
import { resolutionOf, type TopicPlace } from '../src/topics/domain/topics.events.js';
import type { Stay } from './message-blocks.js';

/** One change of a message's place. */
export interface MessageMove {
  /** Where its MessagesMoved is in the log. */
  readonly position: Position;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly moverId: number | null;
  readonly from: TopicPlace;
  readonly to: TopicPlace;
}

/**
 * Where a message has been; absent where it has always been where it is. It says little, and does not grow with every
 * move: each of them writes it again, for every message that it takes.
 */
export interface MessageMoves {
  /** Which moves have taken it: id of a journey. */
  readonly journey?: string;
  readonly sentTo?: TopicPlace;
  /** Of a message that has ever changed channel: what brought it where it is, and where it was sent. */
  readonly arrivedPosition?: Position;
  readonly firstChannelId?: number;
  /** Channels that it was in meanwhile, and since when; absent where there are none. */
  readonly between?: readonly Stay[];
}

/** The moves that have taken some messages, one after the other: written once, and never changed. */
export interface JourneyDocument extends StoredDocument {
  readonly _id: string;
  /** The newest ones, oldest first. */
  readonly moves: readonly MessageMove[];
  /** The journey that ends where the first of them begins; absent where that is where the messages were sent. */
  readonly before?: string;
  /** When the last move was that did more than resolve the topic, or take that back; milliseconds since 1970. */
  readonly movedAt?: number;
  /** Of the last move. */
  readonly position: Position;
}

export const JOURNEYS = 'journeys';

const MOST_MOVES = 64;
const KEPT_OF_THEM = 32;

/** @param before null: the messages were where they had been sent */
export function journeyOn(before: JourneyDocument | null, move: MessageMove): JourneyDocument {
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

/** What the next journey tells of those that led there. */
function chapterOf(journey: JourneyDocument | null): Pick<JourneyDocument, 'moves' | 'before'> {
  if (!journey) return { moves: [] };
  const { moves, before } = journey;
  if (moves.length < MOST_MOVES) return before === undefined ? { moves } : { moves, before };
  const left = moves.slice(0, -KEPT_OF_THEM);
  const end = left.reduce((id: string | undefined, { position }) => idAfter(id, position), before);
  return { moves: moves.slice(-KEPT_OF_THEM), ...(end !== undefined && { before: end }) };
}

/** The same moves, the same id: it can be told from the moves alone, and what is done again writes the same. */
const idAfter = (journey: string | undefined, position: Position): string =>
  derivedId('journey', journey ?? '', position);

/** What a message says after a move. @param before what it said */
export function movesAfter(before: MessageMoves, { position, from, to }: MessageMove, journey: string): MessageMoves {
  const { sentTo = from, firstChannelId = from.channelId, arrivedPosition, between = [] } = before;
  if (from.channelId === to.channelId) return { journey, sentTo };
  const stays =
    arrivedPosition === undefined ? [] : [...between, { channelId: from.channelId, since: arrivedPosition }];
  return {
    journey,
    sentTo,
    arrivedPosition: position,
    firstChannelId,
    ...(stays.length > 0 && { between: stays }),
  };
}

/** A topic was resolved, or that was taken back: for who reads, its messages are where they were. */
const isResolution = ({ from, to }: MessageMove): boolean =>
  resolutionOf({ propagateMode: 'change_all', from, to }) !== null;
