import type { ReadModels } from '../../projections/runner/read-models.js';
import type { CommandRunner } from '../command-runner/command-runner.js';
import type { DomainEvent, Recorded } from '../kernel/event.js';
import type { JsonObject } from '../kernel/json.js';
import type { Position } from '../kernel/position.js';

/**
 * What one decision causes in another stream (D17). Handling an event again must append nothing: ids are derived from
 * the event's. Never run by a rebuild.
 */
export interface ProcessManager<E extends DomainEvent = DomainEvent> {
  readonly name: string;
  readonly on: E['type'];
  /** Told by what an event says openly, before it is decoded; absent: every one concerns it. */
  readonly concerns?: (data: JsonObject) => boolean;
  /** It has much to do where thousands are concerned: the others go on meanwhile, and only who asks waits for it. */
  readonly isAside?: true;
  /**
   * @param signal the process ends: what is left is done at the next start
   * @returns the position of what it appended, or of what was there already
   */
  readonly react: (
    event: Recorded<E>,
    runner: CommandRunner,
    readModels: ReadModels,
    signal: AbortSignal,
  ) => Promise<Position>;
}

/** Erases the event's type, which `on` has made sure of, so that managers of different events go in one list. */
export function processManager<E extends DomainEvent>(manager: ProcessManager<E>): ProcessManager {
  return manager as unknown as ProcessManager;
}
