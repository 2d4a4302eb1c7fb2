import type { DomainEvent } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';

/** The database that holds the checkpoint of the process managers. */
export const CONSEQUENCES_DATABASE = 'process-managers';

/** The part of a process manager that tells how long an answer waits. */
export interface DeclaredConsequence<E extends DomainEvent = DomainEvent> {
  readonly on: E['type'];
  /** Tells from an event's open data, before it is decoded, whether it concerns the manager; default: yes. */
  readonly concerns?: (data: Readonly<Record<string, unknown>>) => boolean;
  /**
   * Set if the work may concern thousands of users or messages: other managers go on meanwhile, and only its own
   * request waits for it.
   */
  readonly inBackground?: true;
  /** The types of the events that it appends. An answer that waits for the manager waits for their read models, too (D11). */
  readonly appends: readonly string[];
  /** `false`: answers do not wait for it. It mends what another request brought about, and mostly does nothing. */
  readonly awaited?: false;
}

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
