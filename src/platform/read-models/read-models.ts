import type { Collection, StoredDocument } from '../documents/document-store.js';
import { UnavailableError } from '../kernel/outcome-errors.js';
import type { Position } from '../kernel/position.js';
import type { Projection } from './projection.js';

/**
 * The projections' documents, for queries and the wait of D11. A collection belongs to the database that is live at the
 * call: fetch it for each query, and do not keep it across a switch.
 */
export interface ReadModels {
  /**
   * @param freshness 'as stored': reads do not wait for what was answered ahead of the documents
   * @throws UnavailableError if the projection has no live database (first build) or has failed
   */
  collection<D extends StoredDocument>(projection: Projection, name: string, freshness?: 'as stored'): Collection<D>;
  /** The log position that the live documents have reached. */
  position(projection: Projection): Position;
  /**
   * Resolves when the projections have applied the log up to `position`; also after 2 s, or if one of them has failed
   * or is rebuilding (D11).
   */
  waitFor(projections: readonly Projection[], position: Position): Promise<void>;
  /** Calls the listener after each committed batch with the position reached. @returns removes the listener */
  onApplied(projection: Projection, listener: (position: Position) => void): () => void;
}

/** Nest token. */
export const READ_MODELS = Symbol('ReadModels');

/** Waits until the documents have everything up to a position. @throws UnavailableError with `lack` if that takes too long */
export async function reach(
  position: Position,
  projection: Projection,
  readModels: ReadModels,
  lack: string,
  retryAfterSeconds?: number,
): Promise<void> {
  await readModels.waitFor([projection], position);
  if (readModels.position(projection) < position) throw new UnavailableError(lack, retryAfterSeconds);
}
