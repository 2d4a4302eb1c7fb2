import type { Position } from '../kernel/position.js';
import type { Projection } from './projection.js';

/**
 * Lets a process that keeps all documents answer commands ahead of them: who asks after the answer waits for the
 * documents, and so reads their own writes all the same (D11). Several processes cannot: nothing tells the others.
 */
export interface AheadOfDocuments {
  /** Resolves when a command may be answered whose events are in the log: at once, unless the documents are far behind. */
  acknowledge(projections: readonly Projection[], position: Position): Promise<void>;
  /**
   * Resolves when the documents have everything that was acknowledged before the call; also after 2 s, or if one of the
   * projections has failed. null: they have it.
   */
  acknowledged(): Promise<void> | null;
}

/** Nest token; the value is null if there are several processes. */
export const AHEAD_OF_DOCUMENTS = Symbol('AheadOfDocuments');
