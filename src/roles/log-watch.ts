import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '../event-store/event-store.js';
import { awakeNow } from '../kernel/awake-time.js';
import { type Position, START } from '../kernel/position.js';

const ASK_EVERY_MS = 1000;
const REACHABLE_FOR_MS = 5000;

/** Asks the log for its end now and then: a silent log and a dead one look alike. */
export class LogWatch {
  private readonly stopping = new AbortController();
  private answeredAt = Number.NEGATIVE_INFINITY;
  private newest: Position = START;
  private asking: Promise<void> = Promise.resolve();

  constructor(private readonly eventStore: Pick<EventStore, 'head'>) {}

  /** Resolves when it has been asked once, whether it has answered or not. */
  async start(): Promise<void> {
    await this.ask();
    this.asking = this.keepAsking();
  }

  /** The log's end when it has answered last. */
  get head(): Position {
    return this.newest;
  }

  /** What was heard from the log is recent enough to go by. */
  isReachable(): boolean {
    return this.age() < REACHABLE_FOR_MS;
  }

  /** Milliseconds since the log was asked what it has answered last, those not counted in which nobody could have heard it. */
  age(): number {
    return awakeNow() - this.answeredAt;
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.asking;
  }

  private async keepAsking(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await sleep(ASK_EVERY_MS, undefined, { signal }).catch(() => {});
      if (!signal.aborted) await this.ask();
    }
  }

  private async ask(): Promise<void> {
    const askedAt = awakeNow();
    await this.eventStore.head().then(
      (head) => {
        this.answeredAt = askedAt;
        this.newest = head;
      },
      // Its age says so.
      () => {},
    );
  }
}
