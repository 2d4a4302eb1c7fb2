import type { EngineSettings } from '../../src/platform/engines/engines.js';
import type { Position } from '../../src/platform/kernel/position.js';
import type { Stall } from './attempts.js';
import { describe, type ProjectionError } from './projection-record.js';

/** The data that a rebuild thread is started with. */
export interface RebuildRequest {
  readonly engines: EngineSettings;
  /** File that exports the list `projections`, and the `eventRegistry` of their events. */
  readonly projectionsModule: string;
  /** Places of events that are passed over; absent: none. */
  readonly skipped?: ReadonlySet<string>;
  readonly builds: readonly BuildRequest[];
  /** Other threads serve meanwhile, and come first. */
  readonly yields: boolean;
}

export interface BuildRequest {
  readonly projection: string;
  /** Name of the database to fill. */
  readonly database: string;
  /** An earlier process has begun to fill the database: go on, if that is possible. */
  readonly goesOn?: boolean;
  /** Token of the lease on the documents; absent if there is only one process. */
  readonly token?: number | undefined;
}

/** The only message to a rebuild thread: end after the page at hand, unfinished. */
export const STOP = 'stop';

export interface BuildProgress {
  readonly projections: readonly string[];
  /** Number of handled events applied so far. Of a build that went on, those before the interruption are an estimate. */
  readonly done: number;
  /** Number of events to apply: an estimate from positions, which may have gaps. */
  readonly total: number;
  readonly eventsPerSecond: number;
  /** null until it can be estimated, and at the end of the log. */
  readonly secondsLeft: number | null;
  readonly position: Position;
  readonly head: Position;
  /** Set while the build fails again and again at `position`. */
  readonly stall: Stall | null;
}

export interface BuildFailure {
  readonly projection: string;
  readonly error: ProjectionError;
}

export type RebuildReport =
  | { readonly kind: 'progress'; readonly progress: BuildProgress }
  /** For the log. */
  | { readonly kind: 'warning'; readonly line: string }
  /** All other databases are built, closed and nearly at the head of the log. */
  | { readonly kind: 'built'; readonly failures: readonly BuildFailure[] };

/** The rebuild was refused: the projection is being built already. */
export class RebuildInProgress extends Error {
  constructor(readonly projection: string) {
    super(`${projection} is being rebuilt already: wait until that is done`);
    this.name = 'RebuildInProgress';
  }
}

/** A build failed. The live documents stay live. */
export class RebuildFailed extends Error {
  constructor(readonly errors: ReadonlyMap<string, ProjectionError>) {
    super([...errors].map(([projection, error]) => `${projection} was not rebuilt: ${describe(error)}`).join('; '));
    this.name = 'RebuildFailed';
  }
}
