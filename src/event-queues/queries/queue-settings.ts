export interface QueueSettings {
  /** Longest that a poll waits, milliseconds. */
  readonly heartbeatAfter: number;
  /** Longest that a queue lives without being asked, milliseconds. */
  readonly idleLimit: number;
}

/** Nest token. */
export const QUEUE_SETTINGS = Symbol('QueueSettings');
