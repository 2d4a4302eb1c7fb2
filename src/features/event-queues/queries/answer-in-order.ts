import {
  FIRST_RANK,
  lastEphemeralIdAfter,
  lastIdAt,
  positionOf,
  rankOf,
} from '../../../../projections/client-events/client-events.documents.js';
import type { EventQueueDocument } from '../../../../projections/event-queues/event-queues.projection.js';
import type { ClientEventText } from '../services/client-event-texts.js';
import type { EphemeralTail } from '../services/ephemeral-tail.js';

/** The stored events of an answer. */
export interface StoredPart {
  /** In order. */
  readonly texts: readonly ClientEventText[];
  /** The newest id that the client has. */
  readonly cursor: number;
  /** The queue has no other stored event after the cursor up to this id. */
  readonly through: number;
  /** `through` is the end of the feed. */
  readonly isAtEnd: boolean;
}

/**
 * Gives the texts of stored and new ephemeral events in the order in which they happened. An ephemeral event gets an id
 * after those of all stored events before it, below those of the position that follows: acknowledging it skips no stored
 * event, and ids increase. Once these ids are used up, which takes hundreds without any event of the log, the last is
 * repeated. An ephemeral event waits for the next poll if stored events may come before it that this answer lacks.
 */
export function answerInOrder(
  { texts, cursor, through, isAtEnd }: StoredPart,
  ephemeral: Pick<EphemeralTail, 'give'>,
  queue: EventQueueDocument,
): string[] {
  const answer: string[] = [];
  let newest = cursor;
  let next = 0;
  ephemeral.give(queue, (body, position) => {
    const happened = lastIdAt(position);
    // The feed may be behind what the process knew then. At its end, nothing is known to come before.
    const least = isAtEnd ? Math.min(happened, through) : happened;
    let after = endOfPosition(Math.max(least, newest));
    for (let stored = texts[next]; stored && stored.id <= after; stored = texts[++next]) {
      answer.push(stored.text);
      newest = stored.id;
      after = endOfPosition(Math.max(least, newest));
    }
    if (after > lastEphemeralIdAfter(through)) return false;
    newest = Math.min(after + 1, lastEphemeralIdAfter(after));
    answer.push(JSON.stringify({ ...body, id: newest }));
    return true;
  });
  return [...answer, ...texts.slice(next).map(({ text }) => text)];
}

/** The last id of a stored event's position; an ephemeral event's own id, because stored ones of its position follow. */
const endOfPosition = (id: number): number => (rankOf(id) < FIRST_RANK ? id : lastIdAt(positionOf(id)));
