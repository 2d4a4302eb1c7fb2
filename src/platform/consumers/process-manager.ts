import type { CommandRunner } from '../commands/command-runner.js';
import type { DeclaredConsequence } from '../commands/consequences.js';
import type { DomainEvent, Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import type { Projection } from '../read-models/projection.js';
import type { ReadModels } from '../read-models/read-models.js';

/**
 * Appends the consequences of one decision to another stream (D17). Handling an event again must append nothing, so ids
 * are derived from the event's. Rebuilds never run it.
 */
export interface ProcessManager<E extends DomainEvent = DomainEvent> extends DeclaredConsequence<E> {
  readonly name: string;
  /** Projections whose documents it reads; default: none. */
  readonly reads?: readonly Projection[];
  /** Set if it welcomes new people: a server with `ANNALS_WELCOME_MESSAGES=false` goes without it. */
  readonly welcomes?: true;
  /**
   * @param signal aborts when the process ends: the next start does the rest
   * @returns the position of the events that it appended now or earlier
   */
  readonly react: (
    event: Recorded<E>,
    runner: CommandRunner,
    readModels: ReadModels,
    signal: AbortSignal,
  ) => Promise<Position>;
}

/** Drops the event's type, which `on` ensures, so that managers of different events fit in one list. */
export function processManager<E extends DomainEvent>(manager: ProcessManager<E>): ProcessManager {
  return manager as unknown as ProcessManager;
}
