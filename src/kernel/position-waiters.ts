import type { Position } from './position.js';

interface Waiter {
  readonly position: Position;
  readonly reached: () => void;
}

/** Who waits for a follower of the log to have passed a position. */
export class PositionWaiters {
  private readonly waiters = new Set<Waiter>();

  /** @returns the way to give up */
  add(position: Position, reached: () => void): () => void {
    const waiter: Waiter = { position, reached };
    this.waiters.add(waiter);
    return () => this.waiters.delete(waiter);
  }

  /** Tells those whose position has been reached. */
  advance(position: Position): void {
    for (const waiter of this.waiters) {
      if (waiter.position > position) continue;
      this.waiters.delete(waiter);
      waiter.reached();
    }
  }

  /** Tells everyone: there is nothing to wait for any more. */
  release(): void {
    this.advance(Number.POSITIVE_INFINITY);
  }
}
