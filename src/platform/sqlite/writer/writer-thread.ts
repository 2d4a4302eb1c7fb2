import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type FromWriter, type Stored, type ToWriter, WriterRefused } from './writer-protocol.js';

/** A request was not stored, or may not have been: see `stored`. */
export class WriteFailed extends Error {
  constructor(
    message: string,
    readonly stored: Stored,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'WriteFailed';
  }
}

interface Pending<Request, Outcome> {
  readonly request: Request;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: WriteFailed) => void;
}

interface WriterListener<Request, Outcome> {
  /** Called for each commit on disk, before its requests are answered. @param seconds of the commit itself */
  committed?(requests: readonly Request[], outcomes: readonly Outcome[], seconds: number): void;
  /** No request will be answered any more. */
  ended?(error: WriteFailed): void;
}

/**
 * A thread that owns the only writing connection of a file, so that an fsync never blocks the callers. Requests are
 * plain data. They are answered in the order in which they were submitted, once they are on disk.
 */
export class WriterThread<Request, Outcome> {
  private unsent: Pending<Request, Outcome>[] = [];
  private sent: Pending<Request, Outcome>[] = [];
  private end: WriteFailed | undefined;
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly worker: Worker,
    private readonly what: string,
    private readonly listener: WriterListener<Request, Outcome>,
  ) {
    worker.on('message', (message: FromWriter<Outcome>) => this.receive(message));
    // An idle writer does not keep the process alive; a request without an answer does.
    worker.unref();
    worker.on('error', (error) => this.die(error));
    worker.on('exit', () => this.die());
  }

  /**
   * @param entry compiled module that calls `serveWriter`
   * @param data given to the entry's `open`
   * @param what names the file in messages
   * @throws WriterRefused if the files cannot be opened
   */
  static async start<Request, Outcome>(
    entry: string,
    data: unknown,
    what: string,
    listener: WriterListener<Request, Outcome> = {},
  ): Promise<WriterThread<Request, Outcome>> {
    const worker = new Worker(entry, { workerData: data, name: what });
    const exit = once(worker, 'exit');
    const first = await Promise.race([once(worker, 'message') as Promise<[FromWriter<Outcome>]>, exit.then(() => [])]);
    if (first[0]?.kind === 'ready') return new WriterThread(worker, what, listener);
    await exit;
    const { reason, message } =
      first[0]?.kind === 'refused'
        ? first[0].error
        : { reason: null, message: `${what}: its writer ended at its start` };
    throw new WriterRefused(reason, message);
  }

  /** @throws WriteFailed */
  submit(request: Request): Promise<Outcome> {
    if (this.end) return Promise.reject(this.end);
    return new Promise((resolve, reject) => {
      // The requests of one turn of the event loop go to the thread as one message.
      if (this.unsent.length === 0) setImmediate(() => this.send());
      this.unsent.push({ request, resolve, reject });
    });
  }

  /** Answers all submitted requests, then ends the thread. */
  close(): Promise<void> {
    this.closing ??= this.finish();
    return this.closing;
  }

  private async finish(): Promise<void> {
    this.send();
    if (this.end) return;
    const exit = once(this.worker, 'exit');
    this.worker.ref();
    this.end = new WriteFailed(`${this.what} is closed`, 'no');
    this.worker.postMessage({ kind: 'close' } satisfies ToWriter<Request>);
    await exit;
  }

  private send(): void {
    if (this.unsent.length === 0) return;
    const requests = this.unsent.map(({ request }) => request);
    this.worker.postMessage({ kind: 'requests', requests } satisfies ToWriter<Request>);
    this.worker.ref();
    this.sent.push(...this.unsent);
    this.unsent = [];
  }

  private receive(message: FromWriter<Outcome>): void {
    if (message.kind === 'committed') {
      const { outcomes, seconds } = message;
      const answered = this.sent.splice(0, outcomes.length);
      this.listener.committed?.(
        answered.map(({ request }) => request),
        outcomes,
        seconds,
      );
      answered.forEach(({ resolve }, index) => {
        resolve(outcomes[index] as Outcome);
      });
    } else if (message.kind === 'failed') {
      const failure = new WriteFailed(`${this.what} could not be written: ${message.message}`, message.stored);
      for (const { reject } of this.sent.splice(0, message.count)) reject(failure);
    }
    if (this.sent.length === 0 && !this.closing) this.worker.unref();
  }

  /** The thread has ended: sent requests may be stored or not, unsent requests are not stored. */
  private die(cause?: Error): void {
    const after = this.closing ? 'is closed' : 'has lost its writer: restart the server';
    const because = cause ? ` (${cause.message})` : '';
    const unknown = new WriteFailed(`${this.what} ${after}${because}`, 'unknown', { cause });
    const unsent = new WriteFailed(`${this.what} ${after}${because}`, 'no', { cause });
    for (const { reject } of this.sent.splice(0)) reject(unknown);
    for (const { reject } of this.unsent.splice(0)) reject(unsent);
    if (!this.end) {
      this.end = unsent;
      this.listener.ended?.(unsent);
    }
  }
}
