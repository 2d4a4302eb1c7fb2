import type { Position } from '../kernel/position.js';

/** Holds the checkpoint of what decisions cause in other streams. */
export const REACTIONS_DATABASE = 'process-managers';

/** What a command's answer waits for, besides the documents (D17). */
export interface Reactions {
  /**
   * Resolves with the position that has everything which follows from events up to `position`; after 2 s without it
   * (the reactions go on). What is done aside is not waited for.
   */
  waitFor(position: Position): Promise<Position>;
  /** The same, what is done aside included. */
  waitForAll(position: Position): Promise<Position>;
}

/** Nest token. */
export const REACTIONS = Symbol('Reactions');
