import type { Position } from './position.js';

interface Waiter {
  readonly position: Position;
  readonly reached: () => void;
}

/** Callbacks and promises that wait for a follower of the log to reach a position. */
export class PositionWaiters {
  private readonly waiters = new Set<Waiter>();

  get isEmpty(): boolean {
    return this.waiters.size === 0;
  }

  /** Calls `reached` once the position is reached. @returns stops waiting */
  add(position: Position, reached: () => void): () => void {
    const waiter: Waiter = { position, reached };
    this.waiters.add(waiter);
    return () => this.waiters.delete(waiter);
  }

  /** Resolves with true when the position is reached, or with false after `longest` milliseconds. */
  wait(position: Position, longest?: number): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = this.add(position, () => {
        clearTimeout(timer);
        resolve(true);
      });
      const late = (): void => {
        giveUp();
        resolve(false);
      };
      const timer = longest === undefined ? undefined : setTimeout(late, longest);
    });
  }

  /** Releases the waiters for positions up to `position`. */
  advance(position: Position): void {
    for (const waiter of this.waiters) {
      if (waiter.position > position) continue;
      this.waiters.delete(waiter);
      waiter.reached();
    }
  }

  /** Releases all waiters: the follower has stopped. */
  release(): void {
    this.advance(Number.POSITIVE_INFINITY);
  }
}
