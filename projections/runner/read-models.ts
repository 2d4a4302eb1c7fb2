import type { Collection, StoredDocument } from '../../src/document-store/document-store.js';
import type { Position } from '../../src/kernel/position.js';
import type { Projection } from '../projection.js';

/**
 * What queries and the wait of D11 see of the projections. A collection is the live database's at the moment of the
 * call: fetch it for each query, do not keep it across a switch.
 */
export interface ReadModels {
  /** @throws UnavailableError while the projection has no live database (first build) or has failed */
  collection<D extends StoredDocument>(projection: Projection, name: string): Collection<D>;
  /** How far the live documents are. */
  position(projection: Projection): Position;
  /** Resolves when the named projections have applied everything up to `position`; after 2 s, or where one has failed or is rebuilding, without it (D11). */
  waitFor(projections: readonly Projection[], position: Position): Promise<void>;
  /** Called after each committed batch with the position reached; returns the way to stop it. */
  onApplied(projection: Projection, listener: (position: Position) => void): () => void;
}

/** Nest token. */
export const READ_MODELS = Symbol('ReadModels');
