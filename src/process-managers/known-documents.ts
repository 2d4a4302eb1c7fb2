import { setTimeout as pause } from 'node:timers/promises';
import type { Projection } from '../../projections/projection.js';
import type { ReadModels } from '../../projections/runner/read-models.js';
import type { Position } from '../kernel/position.js';
import { DocumentsBehind } from './held-up.js';

/** While the documents are built anew. */
const ATTEMPTS = 20;
const PAUSE_MS = 100;

/** Resolves when the documents have everything up to a position. @throws DocumentsBehind where that takes too long */
export async function knownThrough(
  position: Position,
  projections: readonly Projection[],
  readModels: ReadModels,
): Promise<void> {
  const isKnown = (): boolean => projections.every((one) => readModels.position(one) >= position);
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
