import { pause } from './pause.js';

interface PeriodicTaskOptions {
  /** Milliseconds from the end of one run to the next. */
  readonly every: number;
  /** Milliseconds from the start to the first run; default `every`. */
  readonly firstAfter?: number;
  /** Whether the task keeps the process alive between runs; default true. */
  readonly ref?: boolean;
  /** Must not reject. @returns milliseconds before the next run, if not `every` */
  // biome-ignore lint/suspicious/noConfusingVoidType: most work returns nothing
  readonly work: () => Promise<number | void>;
}

/** Repeats work, one run at a time, until stopped. */
export class PeriodicTask {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: PeriodicTaskOptions) {}

  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  start(): void {
    this.running = this.run();
  }

  /** Resolves when the run under way has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { every, firstAfter = every, ref = true, work } = this.options;
    const { signal } = this.stopping;
    for (let wait = firstAfter; ; ) {
      await pause(wait, signal, { ref });
      if (signal.aborted) return;
      wait = (await work()) ?? every;
    }
  }
}
