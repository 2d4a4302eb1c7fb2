import {
  JOURNEYS,
  type JourneyDocument,
  type MessageMove,
  type MessageMoves,
} from '../../../projections/message-journeys.js';
import { messages } from '../../../projections/messages.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';

/** By id. */
export type Journeys = ReadonlyMap<string, JourneyDocument>;

/** What has taken messages where they are. @throws UnavailableError, DocumentStoreUnavailable */
export async function journeysOf(moved: Iterable<MessageMoves>, readModels: ReadModels): Promise<Journeys> {
  const ids = new Set<string>();
  for (const { journey } of moved) if (journey !== undefined) ids.add(journey);
  if (ids.size === 0) return new Map();
  const collection = readModels.collection<JourneyDocument>(messages, JOURNEYS);
  const found = await collection.find({ _id: { $in: [...ids] } });
  return new Map(found.map((journey) => [journey._id, journey]));
}

/** Oldest first, however many there are. @throws UnavailableError, DocumentStoreUnavailable */
export async function allMovesOf({ journey }: MessageMoves, readModels: ReadModels): Promise<readonly MessageMove[]> {
  const collection = readModels.collection<JourneyDocument>(messages, JOURNEYS);
  const chapters: (readonly MessageMove[])[] = [];
  for (let next = journey; next !== undefined; ) {
    const chapter: JourneyDocument | null = await collection.findOne({ _id: next });
    if (chapter) chapters.unshift(chapter.moves);
    next = chapter?.before;
  }
  return chapters.flat();
}
