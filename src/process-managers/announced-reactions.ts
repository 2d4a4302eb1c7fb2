import type { Bus } from '../bus/bus.js';
import { type Position, START } from '../kernel/position.js';
import { PositionWaiters } from '../kernel/position-waiters.js';
import type { Reactions } from './reactions.js';

/** Published by whoever runs the process managers: how far they are. */
export const REACTIONS_TOPIC = 'reactions';

const WAIT_BOUND_MS = 2_000;

/** The process managers of another process, or of this one's other half. */
export class AnnouncedReactions implements Reactions {
  private position: Position = START;
  private settled: Position = START;
  private followed: Position = START;
  private readonly waiters = new PositionWaiters();
  private readonly waitersForAll = new PositionWaiters();
  private readonly stop: () => void;

  constructor(bus: Bus) {
    this.stop = bus.subscribe(REACTIONS_TOPIC, ({ reactions }) => this.hear(reactions));
  }

  waitFor(position: Position): Promise<Position> {
    return this.position >= position ? Promise.resolve(this.after(position)) : this.wait(this.waiters, position);
  }

  waitForAll(position: Position): Promise<Position> {
    return this.settled >= position ? Promise.resolve(this.after(position)) : this.wait(this.waitersForAll, position);
  }

  close(): void {
    this.stop();
    this.waiters.release();
    this.waitersForAll.release();
  }

  private wait(waiters: PositionWaiters, position: Position): Promise<Position> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        giveUp();
        resolve(this.after(position));
      };
      const giveUp = waiters.add(position, finish);
      const timer = setTimeout(finish, WAIT_BOUND_MS);
    });
  }

  private after(position: Position): Position {
    return Math.max(position, this.followed);
  }

  private hear(told: unknown): void {
    if (typeof told !== 'object' || told === null || !('position' in told) || !('followed' in told)) return;
    const { position, followed } = told;
    if (typeof position !== 'number' || typeof followed !== 'number') return;
    // Older processes do nothing aside.
    const settled = 'settled' in told && typeof told.settled === 'number' ? told.settled : position;
    this.position = Math.max(this.position, position);
    this.settled = Math.max(this.settled, settled);
    this.followed = Math.max(this.followed, followed);
    this.waiters.advance(this.position);
    this.waitersForAll.advance(this.settled);
  }
}
