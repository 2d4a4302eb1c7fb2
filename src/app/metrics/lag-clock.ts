import type { Position } from '../../platform/kernel/position.js';

interface Look {
  readonly end: Position;
  readonly at: number;
}

/** Looks that are remembered: older lags are told as the oldest of them. */
const MOST_LOOKS = 3600;

/** Remembers when the log was how long, so that a position can be told as a time. */
export class LagClock {
  /** Of each end of the log, when it was first seen. Oldest first. */
  private readonly looks: Look[] = [];

  constructor(
    private readonly logEnd: () => Position | null,
    private readonly now: () => number = () => performance.now(),
  ) {}

  look(): void {
    const end = this.logEnd();
    if (end === null || end === this.looks.at(-1)?.end) return;
    // A restored log is shorter.
    if (end < (this.looks.at(-1)?.end ?? end)) this.looks.length = 0;
    this.looks.push({ end, at: this.now() });
    if (this.looks.length > MOST_LOOKS) this.looks.shift();
  }

  /** Seconds since the log was first seen with an event behind the position; 0: it has none. */
  since(position: Position): number {
    this.look();
    const first = this.looks.find(({ end }) => end > position);
    return first ? (this.now() - first.at) / 1000 : 0;
  }
}
