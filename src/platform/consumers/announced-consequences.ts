import type { Bus } from '../bus/bus.js';
import type { Consequences } from '../commands/consequences.js';
import { ANSWER_WAIT_MS } from '../kernel/answer-wait.js';
import { type Position, START } from '../kernel/position.js';
import { PositionWaiters } from '../kernel/position-waiters.js';

/** Topic of the progress of the process managers, published by the process that runs them. */
export const CONSEQUENCES_TOPIC = 'reactions';

/** Consequences of the process managers of another process, or of another part of this one. */
export class AnnouncedConsequences implements Consequences {
  private position: Position = START;
  private settled: Position = START;
  private followed: Position = START;
  private readonly waiters = new PositionWaiters();
  private readonly waitersForAll = new PositionWaiters();
  private readonly stop: () => void;

  /** @param longestWait of `waitFor` and `waitForAll`: milliseconds */
  constructor(
    bus: Bus,
    private readonly longestWait = ANSWER_WAIT_MS,
  ) {
    this.stop = bus.subscribe(CONSEQUENCES_TOPIC, ({ reactions }) => this.hear(reactions));
  }

  async waitFor(position: Position): Promise<Position> {
    if (this.position < position) await this.waiters.wait(position, this.longestWait);
    return Math.max(position, this.followed);
  }

  async waitForAll(position: Position): Promise<Position> {
    if (this.settled < position) await this.waitersForAll.wait(position, this.longestWait);
    return Math.max(position, this.followed);
  }

  close(): void {
    this.stop();
    this.waiters.release();
    this.waitersForAll.release();
  }

  private hear(progress: unknown): void {
    if (typeof progress !== 'object' || progress === null || !('position' in progress) || !('followed' in progress))
      return;
    const { position, followed } = progress;
    if (typeof position !== 'number' || typeof followed !== 'number') return;
    // Older versions do nothing in the background.
    const settled = 'settled' in progress && typeof progress.settled === 'number' ? progress.settled : position;
    this.position = Math.max(this.position, position);
    this.settled = Math.max(this.settled, settled);
    this.followed = Math.max(this.followed, followed);
    this.waiters.advance(this.position);
    this.waitersForAll.advance(this.settled);
  }
}
