/** Time limits, in milliseconds. */
export interface Timings {
  /** Time to find the server before a start is refused. */
  readonly open: number;
  /** Silence after which a call is given up. The client itself waits for ever. */
  readonly call: number;
  /** Longest wait of an append for a live tail, before it is sent. */
  readonly gate: number;
  /** Time from the call of `append` until an unknown outcome is reported. */
  readonly append: number;
  /** Silence of the tail after which the log's head is read, to find a subscription that died silently. */
  readonly quiet: number;
}

export const DEFAULT_TIMINGS: Timings = { open: 10_000, call: 5000, gate: 5000, append: 20_000, quiet: 5000 };
