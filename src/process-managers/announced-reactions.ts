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
  private followed: Position = START;
  private readonly waiters = new PositionWaiters();
  private readonly stop: () => void;

  constructor(bus: Bus) {
    this.stop = bus.subscribe(REACTIONS_TOPIC, ({ reactions }) => this.hear(reactions));
  }

  waitFor(position: Position): Promise<Position> {
    if (this.position >= position) return Promise.resolve(this.after(position));
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        giveUp();
        resolve(this.after(position));
      };
      const giveUp = this.waiters.add(position, finish);
      const timer = setTimeout(finish, WAIT_BOUND_MS);
    });
  }

  close(): void {
    this.stop();
    this.waiters.release();
  }

  private after(position: Position): Position {
    return Math.max(position, this.followed);
  }

  private hear(told: unknown): void {
    if (typeof told !== 'object' || told === null || !('position' in told) || !('followed' in told)) return;
    const { position, followed } = told;
    if (typeof position !== 'number' || typeof followed !== 'number') return;
    this.position = Math.max(this.position, position);
    this.followed = Math.max(this.followed, followed);
    this.waiters.advance(this.position);
  }
}
