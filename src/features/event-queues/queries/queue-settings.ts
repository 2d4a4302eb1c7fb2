export interface QueueSettings {
  /** The longest wait of a poll, milliseconds. */
  readonly heartbeatAfter: number;
  /** A queue that has not been polled for longer is expired, milliseconds. */
  readonly idleLimit: number;
}

/** Nest token. */
export const QUEUE_SETTINGS = Symbol('QueueSettings');
