import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '../../kernel/position.js';
import { type Batch, EventStoreUnavailable } from '../event-store.js';

/** Follows the log: reads on while there are events, then waits for commits. */
export async function* follow(
  read: (after: Position) => Batch,
  commits: CommitSignal,
  after: Position,
  signal: AbortSignal,
): AsyncGenerator<Batch, void, void> {
  let position = after;
  let isFirst = true;
  commits.followers += 1;
  try {
    while (!signal.aborted) {
      // The turn is read first: a commit in between is read twice rather than never.
      const turn = commits.turn;
      const batch = read(position);
      if (isFirst || batch.position > position) {
        isFirst = false;
        position = batch.position;
        yield batch;
      }
      if (batch.caughtUp) await commits.after(turn, signal);
      // Catching up must not block the thread.
      else await nextTurn();
    }
  } finally {
    commits.followers -= 1;
  }
}

/** Wakes followers that wait for the log to grow. */
export interface CommitSignal {
  /** Changes whenever the log may have grown. */
  readonly turn: number;
  /** Number of subscriptions that are being read. */
  followers: number;
  /** Resolves once `turn` is no longer the given one, or the signal aborts. @throws EventStoreUnavailable */
  after(turn: number, signal: AbortSignal): Promise<void>;
  end(error: EventStoreUnavailable): void;
}

/** Signals the commits of the writer in this process. */
export class ToldOfCommits implements CommitSignal {
  turn = 0;
  followers = 0;
  private waiting = new Set<() => void>();
  private ended: EventStoreUnavailable | undefined;

  committed(): void {
    this.turn += 1;
    this.wake();
  }

  async after(turn: number, signal: AbortSignal): Promise<void> {
    if (!this.ended && turn === this.turn && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          signal.removeEventListener('abort', wake);
          this.waiting.delete(wake);
          resolve();
        };
        signal.addEventListener('abort', wake);
        this.waiting.add(wake);
      });
    }
    if (this.ended && !signal.aborted) throw this.ended;
  }

  end(error: EventStoreUnavailable): void {
    this.ended ??= error;
    this.wake();
  }

  get isAwaited(): boolean {
    return this.waiting.size > 0;
  }

  private wake(): void {
    for (const wake of [...this.waiting]) wake();
  }
}

/** Looks for commits of a writer in another process or thread. */
export class LooksForCommits implements CommitSignal {
  followers = 0;
  private readonly commits = new ToldOfCommits();
  private timer: NodeJS.Timeout | undefined;
  private seen: Position;

  constructor(
    private readonly head: () => Position,
    private readonly everyMilliseconds: number,
  ) {
    this.seen = head();
  }

  get turn(): number {
    return this.commits.turn;
  }

  async after(turn: number, signal: AbortSignal): Promise<void> {
    this.timer ??= setInterval(() => this.look(), this.everyMilliseconds);
    await this.commits.after(turn, signal);
  }

  end(error: EventStoreUnavailable): void {
    this.stopLooking();
    this.commits.end(error);
  }

  private look(): void {
    if (!this.commits.isAwaited) {
      this.stopLooking();
      return;
    }
    try {
      const head = this.head();
      if (head !== this.seen) this.commits.committed();
      this.seen = head;
    } catch (error) {
      this.end(error instanceof EventStoreUnavailable ? error : new EventStoreUnavailable(String(error), 'no'));
    }
  }

  private stopLooking(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
