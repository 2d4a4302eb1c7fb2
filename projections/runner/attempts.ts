import { setTimeout } from 'node:timers/promises';
import { DocumentStoreUnavailable } from '../../src/platform/documents/document-store.js';

/** Work fails again and again at the same place. It is tried again all the same. */
export interface Stall {
  readonly message: string;
  /** Time of the first failure; milliseconds since 1970. */
  readonly since: number;
}

const MOST_FAILURES = 3;
/** A short absence of an engine is no stall, however often it was tried: ms. */
const SHORT_ABSENCE = 2000;

const FIRST_WAIT = 50;
/** Longest waits between tries: for an engine that is away, and for one that answers and refuses the work. */
const LONGEST_WAIT = { away: 5000, refused: 30_000 };

export interface AttemptsOptions {
  /** Called when the work stalls, and with null when it goes on. */
  readonly onStall: (stall: Stall | null) => void;
  readonly now?: () => number;
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Tries of the same work: the waits between them, and whether it makes any headway. */
export class Attempts {
  private failures = 0;
  private since = 0;
  private isStalled = false;
  private readonly now: () => number;
  private readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;

  constructor(private readonly options: AttemptsOptions) {
    this.now = options.now ?? Date.now;
    this.pause = options.pause ?? pauseFor;
  }

  /** Resolves when it is time for the next try, or when the signal aborts. */
  async failed(error: unknown, signal?: AbortSignal): Promise<void> {
    if (this.failures === 0) this.since = this.now();
    this.failures++;
    const isLong = this.failures >= MOST_FAILURES && this.now() - this.since >= SHORT_ABSENCE;
    if (isLong && !this.isStalled) {
      this.isStalled = true;
      this.options.onStall({ message: error instanceof Error ? error.message : String(error), since: this.since });
    }
    const longest = LONGEST_WAIT[isRefusal(error) ? 'refused' : 'away'];
    await this.pause(Math.min(longest, FIRST_WAIT * 2 ** (this.failures - 1)), signal);
  }

  /** The next work begins. */
  succeeded(): void {
    this.failures = 0;
    if (!this.isStalled) return;
    this.isStalled = false;
    this.options.onStall(null);
  }
}

const isRefusal = (error: unknown): boolean => error instanceof DocumentStoreUnavailable && error.isRefusal;

async function pauseFor(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
