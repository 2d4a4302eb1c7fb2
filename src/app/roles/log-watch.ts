import { awakeNow } from '../../platform/kernel/awake-time.js';
import { PeriodicTask } from '../../platform/kernel/periodic-task.js';
import { type Position, START } from '../../platform/kernel/position.js';
import type { EventStore } from '../../platform/log/event-store.js';

const ASK_EVERY_MS = 1000;
const REACHABLE_FOR_MS = 5000;

/** Reads the log's head now and then: a silent log and a dead one look alike. */
export class LogWatch {
  private readonly asking = new PeriodicTask({ every: ASK_EVERY_MS, work: () => this.ask() });
  private answeredAt = Number.NEGATIVE_INFINITY;
  private newest: Position = START;

  constructor(private readonly eventStore: Pick<EventStore, 'head'>) {}

  /** Resolves after the first read, successful or not. */
  async start(): Promise<void> {
    await this.ask();
    this.asking.start();
  }

  /** The log's head at its last answer. */
  get head(): Position {
    return this.newest;
  }

  /** Tells whether the log's last answer is recent enough. */
  isReachable(): boolean {
    return this.age() < REACHABLE_FOR_MS;
  }

  /** Awake milliseconds since the last read that was answered began. */
  age(): number {
    return awakeNow() - this.answeredAt;
  }

  async close(): Promise<void> {
    await this.asking.stop();
  }

  private async ask(): Promise<void> {
    const askedAt = awakeNow();
    await this.eventStore.head().then(
      (head) => {
        this.answeredAt = askedAt;
        this.newest = head;
      },
      // `age` shows the failure.
      () => {},
    );
  }
}
