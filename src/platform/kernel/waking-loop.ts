import { pause } from './pause.js';

/** Repeats work until it is stopped. Pauses in between until more is due, or until it is woken. */
export class WakingLoop {
  private readonly stopping = new AbortController();
  private waking = new AbortController();
  private running: Promise<void> = Promise.resolve();

  /** @param work must not reject. @returns milliseconds until more is due */
  constructor(private readonly work: (signal: AbortSignal) => Promise<number>) {}

  start(): void {
    this.running = this.run();
  }

  /** Ends the pause. Work under way is followed by another round. */
  wake(): void {
    this.waking.abort();
  }

  /** Resolves when the work under way has ended, or after so many milliseconds. Nothing waits for work that hangs. */
  async stop(longest: number): Promise<void> {
    this.stopping.abort();
    this.wake();
    await Promise.race([this.running, pause(longest, new AbortController().signal, { ref: false })]);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      this.waking = new AbortController();
      const wait = await this.work(signal);
      if (!signal.aborted) await pause(wait, this.waking.signal, { ref: false });
    }
  }
}
