import { Overloaded } from './admission.js';
import { FairLine } from './fair-line.js';
import { Slices } from './slices.js';

interface ReadTurnsOptions {
  /** The most reads at work at the same time. */
  readonly atOnce: number;
  /** The most reads of one caller whose answers have not left the process: each may hold some megabytes. */
  readonly atOnceEach: number;
  /** The most reads that wait for their turn; a single caller may have half as many waiting. */
  readonly mostWaiting: number;
  /** The longest wait for a turn, milliseconds. */
  readonly longestWait: number;
}

/** An account by its id, or a network address. */
type ReadCaller = number | string;

const CHECK_EVERY_MS = 250;
const RETRY_AFTER_SECONDS = 2;

interface Returning {
  readonly turn: ReadTurn;
  readonly begin: () => void;
}

interface Waiting extends Returning {
  readonly since: number;
  readonly sendAway: (error: Overloaded) => void;
}

/**
 * Bounds the reads of a process, and the part of the event loop's time that they take: reads of documents hold up whatever
 * else the process has to do. Callers take turns, those with the fewest answers on their way first; the reads of one
 * caller keep their order.
 */
export class ReadTurns {
  private atWork = 0;
  /** Reads by caller whose answers have not left. */
  private readonly held = new Map<ReadCaller, number>();
  private readonly waiting = new FairLine<ReadCaller, Waiting>();
  /** Reads that have waited for something else, in their order. They come before all others. */
  private readonly returning: Returning[] = [];
  private readonly slices = new Slices(() => this.beginNext());
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly options: ReadTurnsOptions) {}

  get load(): { readonly atWork: number; readonly waiting: number } {
    return { atWork: this.atWork, waiting: this.waiting.size + this.returning.length };
  }

  /**
   * @returns null if it is the caller's turn at once; otherwise a promise that resolves at its turn
   * @throws Overloaded; the promise rejects with it after too long a wait
   */
  enter(turn: ReadTurn): Promise<void> | null {
    if (this.waiting.size === 0 && this.beginsAtOnce(turn)) return null;
    const { mostWaiting } = this.options;
    if (this.waiting.size >= mostWaiting || this.waiting.sizeOf(turn.caller) >= mostWaiting / 2) {
      throw new Overloaded('too many requests wait for their turn', RETRY_AFTER_SECONDS);
    }
    return this.wait(turn);
  }

  /**
   * The same for a read that has waited for something else. It is never refused, and comes before reads that have not begun:
   * a thousand polls get their events before the first of them polls again.
   */
  enterAgain(turn: ReadTurn): Promise<void> | null {
    if (this.beginsAtOnce(turn)) return null;
    return new Promise((begin) => {
      this.returning.push({ turn, begin });
      this.pumpSoon();
    });
  }

  /** The read has ended; its answer is yet to leave. */
  ended(): void {
    this.atWork -= 1;
    this.pumpSoon();
  }

  /** The answer has left. */
  left({ caller }: ReadTurn): void {
    const others = (this.held.get(caller) ?? 0) - 1;
    if (others > 0) this.held.set(caller, others);
    else this.held.delete(caller);
    this.pumpSoon();
  }

  private beginsAtOnce(turn: ReadTurn): boolean {
    if (this.returning.length > 0 || !this.hasRoom(turn.caller) || !this.slices.hasTime()) return false;
    this.count(turn);
    return true;
  }

  private count({ caller }: ReadTurn): void {
    this.atWork += 1;
    this.held.set(caller, (this.held.get(caller) ?? 0) + 1);
  }

  private hasRoom(caller: ReadCaller): boolean {
    return this.atWork < this.options.atOnce && (this.held.get(caller) ?? 0) < this.options.atOnceEach;
  }

  private wait(turn: ReadTurn): Promise<void> {
    return new Promise((begin, sendAway) => {
      this.waiting.add(turn.caller, { turn, since: performance.now(), begin, sendAway });
      this.timer ??= setInterval(() => this.check(), CHECK_EVERY_MS);
      this.pumpSoon();
    });
  }

  private pumpSoon(): void {
    if (this.waiting.size > 0 || this.returning.length > 0) this.slices.soon();
  }

  private beginNext(): boolean {
    return this.beginReturning() || this.beginWaiting();
  }

  private beginReturning(): boolean {
    if (this.atWork >= this.options.atOnce) return false;
    const at = this.returning.findIndex(({ turn }) => this.hasRoom(turn.caller));
    const [next] = at === -1 ? [] : this.returning.splice(at, 1);
    if (!next) return false;
    this.count(next.turn);
    next.begin();
    return true;
  }

  private beginWaiting(): boolean {
    const caller = this.nextCaller();
    if (caller === undefined) return false;
    const next = this.waiting.take(caller);
    if (next) this.count(next.turn);
    next?.begin();
    return true;
  }

  /** The caller with the fewest reads held: who takes no answers does not come before others again and again. */
  private nextCaller(): ReadCaller | undefined {
    let next: ReadCaller | undefined;
    let fewest = this.atWork < this.options.atOnce ? this.options.atOnceEach : 0;
    for (const caller of this.waiting.callers()) {
      const held = this.held.get(caller) ?? 0;
      if (held < fewest) [next, fewest] = [caller, held];
      if (fewest === 0) break;
    }
    return next;
  }

  /** Refuses reads that have waited too long. */
  private check(): void {
    const latest = performance.now() - this.options.longestWait;
    for (const [caller, waiting] of this.waiting.inOrder()) {
      if (waiting.since >= latest) continue;
      this.waiting.delete(caller, waiting);
      waiting.sendAway(new Overloaded('its turn did not come in time', RETRY_AFTER_SECONDS));
    }
    if (this.waiting.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}

/** The turn of one read: it works, and its answer leaves. */
export class ReadTurn {
  private isAtWork = false;
  private isHeld = false;
  private isOver = false;

  constructor(
    private readonly turns: ReadTurns,
    readonly caller: ReadCaller,
  ) {}

  /** As `ReadTurns.enter`. */
  begin(): Promise<void> | null {
    const turn = this.turns.enter(this);
    if (turn) return turn.then(() => this.begun());
    this.begun();
    return null;
  }

  /** The read has ended; its answer is yet to leave. */
  ended(): void {
    if (this.isAtWork) this.turns.ended();
    this.isAtWork = false;
    if (this.isOver) this.release();
  }

  /** The answer has left, or its client has hung up. A read that is at work keeps its turn until it ends. */
  closed(): void {
    this.isOver = true;
    if (!this.isAtWork) this.release();
  }

  /** Leaves the turn to others during a wait. Resolves at the next turn. */
  async outside<T>(wait: () => Promise<T>): Promise<T> {
    this.ended();
    this.release();
    try {
      return await wait();
    } finally {
      await this.turns.enterAgain(this);
      this.begun();
    }
  }

  private begun(): void {
    this.isAtWork = true;
    this.isHeld = true;
  }

  private release(): void {
    if (this.isHeld) this.turns.left(this);
    this.isHeld = false;
  }
}
