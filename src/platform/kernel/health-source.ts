/** Tells how a process does. The members of the report are those of an answer. */
export interface HealthSource {
  report(): object;
}

/** Nest token. */
export const HEALTH = Symbol('Health');
