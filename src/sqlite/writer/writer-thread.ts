import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type FromWriter, type Stored, type ToWriter, WriterRefused } from './writer-protocol.js';

/** A request was not stored, or nobody can say. */
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

interface Pending<Outcome> {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: WriteFailed) => void;
}

export interface WriterListener<Outcome> {
  /** A commit is on disk; called before those who asked for it resume, in the order of the log. */
  committed?(outcomes: readonly Outcome[]): void;
  /** No request will be answered any more. */
  ended?(error: WriteFailed): void;
}

/**
 * A thread that owns the one writing connection of a file, seen by those who write: an fsync never blocks them.
 * Requests are plain data; they are answered in the order in which they were submitted, once they are on disk.
 */
export class WriterThread<Request, Outcome> {
  private unsent: Request[] = [];
  private unsentPending: Pending<Outcome>[] = [];
  private pending: Pending<Outcome>[] = [];
  private end: WriteFailed | undefined;
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly worker: Worker,
    private readonly what: string,
    private readonly listener: WriterListener<Outcome>,
  ) {
    worker.on('message', (message: FromWriter<Outcome>) => this.receive(message));
    // What waits for an answer keeps the process alive, an idle writer does not.
    worker.unref();
    worker.on('error', (error) => this.die(error));
    worker.on('exit', () => this.die());
  }

  /**
   * @param entry compiled module that calls `serveWriter`
   * @param data handed to what it opens
   * @param what names the file in messages
   * @throws WriterRefused where the files cannot be opened
   */
  static async start<Request, Outcome>(
    entry: string,
    data: unknown,
    what: string,
    listener: WriterListener<Outcome> = {},
  ): Promise<WriterThread<Request, Outcome>> {
    const worker = new Worker(entry, { workerData: data, name: what });
    const exit = once(worker, 'exit');
    const first = await Promise.race([once(worker, 'message') as Promise<[FromWriter<Outcome>]>, exit.then(() => [])]);
    if (first[0]?.kind === 'ready') return new WriterThread(worker, what, listener);
    await exit;
    const { reason, message } =
      first[0]?.kind === 'refused'
        ? first[0].refusal
        : { reason: null, message: `${what}: its writer ended at its start` };
    throw new WriterRefused(reason, message);
  }

  /** @throws WriteFailed */
  submit(request: Request): Promise<Outcome> {
    if (this.end) return Promise.reject(this.end);
    return new Promise((resolve, reject) => {
      // All that one turn of the event loop submits crosses to the thread as one message.
      if (this.unsent.length === 0) setImmediate(() => this.send());
      this.unsent.push(request);
      this.unsentPending.push({ resolve, reject });
    });
  }

  /** Answers what has been submitted, and ends the thread. */
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
    this.worker.postMessage({ kind: 'requests', requests: this.unsent } satisfies ToWriter<Request>);
    this.worker.ref();
    this.pending.push(...this.unsentPending);
    this.unsent = [];
    this.unsentPending = [];
  }

  private receive(message: FromWriter<Outcome>): void {
    if (message.kind === 'committed') {
      this.listener.committed?.(message.outcomes);
      const answered = this.pending.splice(0, message.outcomes.length);
      answered.forEach(({ resolve }, index) => {
        resolve(message.outcomes[index] as Outcome);
      });
    } else if (message.kind === 'failed') {
      const failure = new WriteFailed(`${this.what} could not be written: ${message.message}`, message.stored);
      for (const { reject } of this.pending.splice(0, message.count)) reject(failure);
    }
    if (this.pending.length === 0 && !this.closing) this.worker.unref();
  }

  /** The thread has ended: of what was sent nobody knows, what comes later is certainly not stored. */
  private die(cause?: Error): void {
    const after = this.closing ? 'is closed' : 'has lost its writer: restart the server';
    const because = cause ? ` (${cause.message})` : '';
    const unknown = new WriteFailed(`${this.what} ${after}${because}`, 'unknown', { cause });
    const unsent = new WriteFailed(`${this.what} ${after}${because}`, 'no', { cause });
    for (const { reject } of this.pending.splice(0)) reject(unknown);
    for (const { reject } of this.unsentPending.splice(0)) reject(unsent);
    this.unsent = [];
    if (!this.end) {
      this.end = unsent;
      this.listener.ended?.(unsent);
    }
  }
}
