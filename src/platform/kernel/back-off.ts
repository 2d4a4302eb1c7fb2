import { setTimeout } from 'node:timers/promises';

/** Waits between attempts to reach an engine: `first` milliseconds, then twice as long each time, up to `longest`. */
export class BackOff {
  private next: number;

  constructor(
    private readonly first = 50,
    private readonly longest = 5000,
  ) {
    this.next = first;
  }

  /** Begins again with the shortest wait. Called after a success. */
  reset(): void {
    this.next = this.first;
  }

  /** Resolves after the wait, or when the signal aborts. */
  async wait(signal?: AbortSignal): Promise<void> {
    const delay = this.next;
    this.next = Math.min(this.longest, delay * 2);
    try {
      await setTimeout(delay, undefined, signal ? { signal } : {});
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }
}
