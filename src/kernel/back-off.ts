import { setTimeout } from 'node:timers/promises';

/** How long to leave an engine alone that is away: a little, then twice as long each time, up to `longest` milliseconds. */
export class BackOff {
  private next: number;

  constructor(
    private readonly first = 50,
    private readonly longest = 5000,
  ) {
    this.next = first;
  }

  /** After a success. */
  reset(): void {
    this.next = this.first;
  }

  /** Returns early, without an error, when the signal aborts. */
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
