import { AwakeTimer } from '../platform/kernel/awake-time.js';
import type { Position } from '../platform/kernel/position.js';
import type { Directory } from './directory.js';

interface Pending {
  /** The facts of the decision are at least as new as this position. */
  readonly asOf: Position;
  readonly done: Promise<unknown>;
}

/**
 * The decisions of this process that rest on the directory and are not stored yet. A command that takes access is
 * answered after all that rest on earlier facts: none of them is stored after the answer (D8).
 */
export class PendingDecisions {
  private readonly pending = new Set<Pending>();

  constructor(private readonly directory: Pick<Directory, 'position'>) {}

  /** Runs work that reads facts, decides and stores. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const asOf = this.directory.position;
    const done = work();
    const one: Pending = { asOf, done: done.catch(() => {}) };
    this.pending.add(one);
    try {
      return await done;
    } finally {
      this.pending.delete(one);
    }
  }

  /** The position whose events every pending decision, and the directory, has taken into account. */
  get position(): Position {
    let oldest = this.directory.position;
    for (const { asOf } of this.pending) oldest = Math.min(oldest, asOf);
    return oldest;
  }

  /** Resolves when every decision on facts from before the position has ended, or after so many milliseconds. */
  async waitUntilDecided(position: Position, longest: number): Promise<void> {
    const earlier = [...this.pending].filter(({ asOf }) => asOf < position);
    if (earlier.length === 0) return;
    let timer: AwakeTimer | undefined;
    const late = new Promise<void>((resolve) => {
      timer = new AwakeTimer(longest, resolve);
    });
    await Promise.race([Promise.all(earlier.map(({ done }) => done)), late]);
    timer?.clear();
  }
}
