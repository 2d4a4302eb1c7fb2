import type { Position } from './position.js';

interface Waiter {
  readonly position: Position;
  readonly reached: () => void;
}

/** Who waits for a follower of the log to have passed a position. */
export class PositionWaiters {
  private waiters: Waiter[] = [];

  /** @returns the way to give up */
  add(position: Position, reached: () => void): () => void {
    const waiter: Waiter = { position, reached };
    this.waiters.push(waiter);
    return () => {
      this.waiters = this.waiters.filter((other) => other !== waiter);
    };
  }

  /** Tells those whose position has been reached. */
  advance(position: Position): void {
    if (this.waiters.length === 0) return;
    const { waiters } = this;
    this.waiters = waiters.filter((waiter) => waiter.position > position);
    for (const waiter of waiters) if (waiter.position <= position) waiter.reached();
  }

  /** Tells everyone: there is nothing to wait for any more. */
  release(): void {
    this.advance(Number.POSITIVE_INFINITY);
  }
}
