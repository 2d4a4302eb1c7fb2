/** How long things may take, milliseconds. */
export interface Timings {
  /** Until the server has been found, before a start is refused. */
  readonly open: number;
  /** Silence after which a call is given up: the client itself waits for ever for a peer that never answers. */
  readonly call: number;
  /** How long an append waits for the tail of the log to be live; nothing has been sent until then. */
  readonly gate: number;
  /** From the call of `append` until an outcome that stays unknown is reported as such. */
  readonly append: number;
  /** Quiet on the tail after which the log's head is read: a subscription that died in silence is found out. */
  readonly quiet: number;
}

export const DEFAULT_TIMINGS: Timings = { open: 10_000, call: 5000, gate: 5000, append: 20_000, quiet: 5000 };
