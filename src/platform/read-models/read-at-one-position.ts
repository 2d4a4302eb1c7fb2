import { type Position, START } from '../kernel/position.js';
import type { Projection } from './projection.js';
import type { ReadModels } from './read-models.js';

const MOST_READS = 5;

/** Documents, and the position of the last change to any of them, which is read after the documents. */
interface ReadWithChange<Documents> {
  readonly found: Documents;
  readonly changedAt: Position;
}

/**
 * Reads documents that belong together at one position, which is `at` or later. Reads again if one of them changed
 * during the read. Gives up after `MOST_READS` reads: the position may then be behind some documents, and the events
 * after it repeat their changes.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function readAtOnePosition<Documents>(
  readModels: ReadModels,
  projection: Projection,
  at: Position,
  read: () => Promise<ReadWithChange<Documents>>,
): Promise<{ readonly found: Documents; readonly position: Position }> {
  await readModels.waitFor([projection], at);
  let seen = START;
  for (let reads = 1; ; reads++) {
    const position = Math.max(seen, readModels.position(projection));
    const { found, changedAt } = await read();
    if (changedAt <= position || reads === MOST_READS) return { found, position };
    seen = changedAt;
  }
}
