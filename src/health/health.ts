import type { ProjectionStatus } from '../../projections/runner/live-projections.js';

/** How an engine is, as far as this process can tell. */
export interface EngineHealth {
  readonly reachable: boolean;
  /** Milliseconds since it answered last; null: never. */
  readonly answeredMsAgo: number | null;
}

export interface HealthReport {
  /** It can do what it is there for. */
  readonly ready: boolean;
  readonly engines: { readonly log: EngineHealth; readonly documents: EngineHealth };
  /** Those that this process reads, or keeps. */
  readonly projections: readonly ProjectionStatus[];
}

/** How a process is, for whoever watches it. */
export interface Health {
  report(): HealthReport;
}

/** As a report gives it; null: never. */
export const wholeMilliseconds = (age: number): number | null =>
  Number.isFinite(age) ? Math.max(0, Math.round(age)) : null;

/** Nest token. */
export const HEALTH = Symbol('Health');
