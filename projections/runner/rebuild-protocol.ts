import type { EngineSettings } from '../../src/config/engine-settings.js';
import type { Position } from '../../src/kernel/position.js';
import type { ProjectionError } from './projection-record.js';

/** What a rebuild thread is started with. */
export interface RebuildRequest {
  readonly engines: EngineSettings;
  /** File whose export `projections` is the list that the names are of. */
  readonly projectionsModule: string;
  readonly builds: readonly { readonly projection: string; readonly database: string }[];
  /** Something is served meanwhile: it comes first. */
  readonly yields: boolean;
}

/** All that a rebuild thread is ever told: end between two pages of the log, whatever is unfinished. */
export const STOP = 'stop';

export interface BuildProgress {
  readonly projections: readonly string[];
  /** Events applied so far; those that no projection handles are not counted. */
  readonly done: number;
  /** How many they will be: an estimate from positions, which may have gaps. */
  readonly total: number;
  readonly eventsPerSecond: number;
  /** null until it can be told. */
  readonly secondsLeft: number | null;
  readonly position: Position;
  readonly head: Position;
}

/** What became of a build that came to its end. */
export interface BuildFailure {
  readonly projection: string;
  readonly error: ProjectionError;
}

export type RebuildReport =
  | { readonly kind: 'progress'; readonly progress: BuildProgress }
  /** All that are not among the failures are built, closed and nearly at the head of the log. */
  | { readonly kind: 'built'; readonly failures: readonly BuildFailure[] };
