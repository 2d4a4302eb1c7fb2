import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '../kernel/position.js';
import type { Projection } from '../read-models/projection.js';
import type { ReadModels } from '../read-models/read-models.js';
import { DocumentsBehind } from './stall-reporter.js';

/** Attempts while the documents are built anew. */
const ATTEMPTS = 20;
const PAUSE_MS = 100;

/** Resolves when the documents have everything up to a position. @throws DocumentsBehind if that takes too long */
export async function knownThrough(
  position: Position,
  projections: readonly Projection[],
  readModels: ReadModels,
): Promise<void> {
  const isKnown = (): boolean => projections.every((projection) => readModels.position(projection) >= position);
  for (let attempt = 1; !isKnown(); attempt++) {
    await readModels.waitFor(projections, position);
    if (isKnown()) return;
    if (attempt === ATTEMPTS) {
      const names = projections.map(({ name }) => name).join(', ');
      throw new DocumentsBehind(`${names} are not as far as the event at ${position}`);
    }
    await pause(PAUSE_MS);
  }
}
