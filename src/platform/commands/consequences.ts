import type { Position } from '../kernel/position.js';

/** The database that holds the checkpoint of the process managers. */
export const CONSEQUENCES_DATABASE = 'process-managers';

/** Consequences of decisions in other streams, which a command's answer waits for (D17). */
export interface Consequences {
  /**
   * Resolves with the position up to which all consequences of events up to `position` are stored. Resolves after 2 s
   * in any case; the process managers go on. Background work is not waited for.
   */
  waitFor(position: Position): Promise<Position>;
  /** Like `waitFor`, background work included. */
  waitForAll(position: Position): Promise<Position>;
}
