/** A message to the writer. Requests need no name: they are answered in the order in which they were sent. */
export type ToWriter<Request> =
  | { readonly kind: 'requests'; readonly requests: readonly Request[] }
  | { readonly kind: 'close' };

/** Whether a failed request was stored. `unknown`: a crash just now could bring it back. */
export type Stored = 'no' | 'unknown';

export type FromWriter<Outcome> =
  | { readonly kind: 'ready' }
  /** The files could not be opened; the thread ends. */
  | { readonly kind: 'refused'; readonly error: Pick<WriterRefused, 'reason' | 'message'> }
  /** The oldest unanswered requests are on disk, by one commit, which took `seconds`: nearly all of it the disk's sync. */
  | { readonly kind: 'committed'; readonly outcomes: readonly Outcome[]; readonly seconds: number }
  /** The oldest `count` unanswered requests were not committed. */
  | { readonly kind: 'failed'; readonly count: number; readonly message: string; readonly stored: Stored };

/** A writer's files cannot be opened. The message tells the operator what to do. */
export class WriterRefused extends Error {
  /** @param reason the adapter's own word, such as `locked`; null for an unforeseen error */
  constructor(
    readonly reason: string | null,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'WriterRefused';
  }
}
