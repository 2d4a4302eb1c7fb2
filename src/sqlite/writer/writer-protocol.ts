/** Requests are answered in the order in which they were sent, so no message needs to name them. */
export type ToWriter<Request> =
  | { readonly kind: 'requests'; readonly requests: readonly Request[] }
  | { readonly kind: 'close' };

/** Whether a failed request was stored. `unknown` where a crash just now could bring it back. */
export type Stored = 'no' | 'unknown';

export type FromWriter<Outcome> =
  | { readonly kind: 'ready' }
  /** The files could not be opened; the thread ends. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The oldest requests not answered yet are on disk, all by one commit. */
  | { readonly kind: 'committed'; readonly outcomes: readonly Outcome[] }
  /** The oldest `count` requests not answered yet were not committed. */
  | { readonly kind: 'failed'; readonly count: number; readonly message: string; readonly stored: Stored };

export interface Refusal {
  /** Adapter's own word for it, such as `locked`; null for an error that nobody foresaw. */
  readonly reason: string | null;
  readonly message: string;
}

/** Thrown by what opens a writer's files: the message tells the operator what to do. */
export class WriterRefused extends Error implements Refusal {
  constructor(
    readonly reason: string | null,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'WriterRefused';
  }
}
