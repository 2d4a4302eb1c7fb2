import { messages } from '../../../../../projections/messages/messages.projection.js';
import {
  type MessageMove,
  type MessageMoves,
  MOVE_HISTORIES,
  type MoveHistoryDocument,
} from '../../../../../projections/messages/move-history.js';
import type { ReadModels } from '../../../../platform/read-models/read-models.js';

/** By id. */
export type MoveHistories = ReadonlyMap<string, MoveHistoryDocument>;

/** The move histories of messages. @throws UnavailableError, DocumentStoreUnavailable */
export async function moveHistoriesOf(moved: Iterable<MessageMoves>, readModels: ReadModels): Promise<MoveHistories> {
  const ids = new Set<string>();
  for (const { journey } of moved) if (journey !== undefined) ids.add(journey);
  if (ids.size === 0) return new Map();
  const collection = readModels.collection<MoveHistoryDocument>(messages, MOVE_HISTORIES);
  const found = await collection.find({ _id: { $in: [...ids] } });
  return new Map(found.map((history) => [history._id, history]));
}

/** All moves of a message, oldest first. @throws UnavailableError, DocumentStoreUnavailable */
export async function allMovesOf({ journey }: MessageMoves, readModels: ReadModels): Promise<readonly MessageMove[]> {
  const collection = readModels.collection<MoveHistoryDocument>(messages, MOVE_HISTORIES);
  const parts: (readonly MessageMove[])[] = [];
  for (let next = journey; next !== undefined; ) {
    const history: MoveHistoryDocument | null = await collection.findOne({ _id: next });
    if (history) parts.unshift(history.moves);
    next = history?.before;
  }
  return parts.flat();
}
