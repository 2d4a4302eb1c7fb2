import { FairLine } from './fair-line.js';
import { UnavailableError } from './outcome-errors.js';

interface AdmissionOptions {
  /** The most commands carried out at the same time. */
  readonly atOnce: number;
  /** The most commands that wait for their turn; a single caller may have half as many waiting. */
  readonly mostWaiting: number;
  /** The longest wait for a turn, milliseconds. A command that would wait longer is refused as soon as that shows. */
  readonly longestWait: number;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

/** The commands of a process. */
interface AdmissionLoad {
  readonly atWork: number;
  readonly waiting: number;
  /** Number of commands refused since the process started. */
  readonly refused: number;
}

/** The process has too many commands. The refused command was not begun, so nothing was stored. */
export class Overloaded extends UnavailableError {
  override readonly name = 'Overloaded';
}

interface Turn {
  readonly since: number;
  readonly begin: () => void;
  readonly sendAway: (error: Overloaded) => void;
}

/** A refused client may find room after this time. */
const RETRY_AFTER_SECONDS = 2;
const CHECK_EVERY_MS = 250;

/**
 * Bounds the commands of one process before they begin. Without the bound, a crowd of commands fills the memory, each
 * takes as long as all together, and some time out halfway. Callers take turns; the commands of one caller keep their
 * order.
 *
 * The number of waiting commands is bounded by `mostWaiting`, and by the number that can have their turn in time at the
 * current pace: no command waits in vain.
 */
export class Admission {
  private atWork = 0;
  private refused = 0;
  private readonly waiting = new FairLine<number, Turn>();
  private readonly clock: () => number;
  private readonly pace = new Pace();
  private timer: NodeJS.Timeout | null = null;
  private timerSince = 0;

  constructor(private readonly options: AdmissionOptions) {
    this.clock = options.clock ?? (() => performance.now());
  }

  get load(): AdmissionLoad {
    return { atWork: this.atWork, waiting: this.waiting.size, refused: this.refused };
  }

  /**
   * Admits a command, which calls `leave` at its end.
   * @returns null if admitted at once; otherwise a promise that resolves at the caller's turn
   * @throws Overloaded; the promise rejects with it after too long a wait
   */
  enter(caller: number): Promise<void> | null {
    const { atOnce, mostWaiting } = this.options;
    if (this.atWork < atOnce) {
      this.atWork += 1;
      return null;
    }
    const isFull = this.waiting.size >= mostWaiting || this.waiting.sizeOf(caller) >= mostWaiting / 2;
    if (isFull || this.pace.timeFor(this.waiting.size) > this.options.longestWait) {
      throw this.refusal('too many commands wait for their turn');
    }
    return this.wait(caller);
  }

  /** Ends a command: the next one takes its place. */
  release(): void {
    const turn = this.waiting.takeNext();
    if (!turn) {
      this.atWork -= 1;
      return;
    }
    this.pace.gave();
    turn.begin();
  }

  /**
   * Gives up a command's place while the command waits for others. Commands that were never admitted may call this too:
   * they take back the place that they give.
   */
  async outside<T>(wait: () => Promise<T>): Promise<T> {
    this.release();
    try {
      return await wait();
    } finally {
      this.atWork += 1;
    }
  }

  private wait(caller: number): Promise<void> {
    this.timer ??= this.startTimer();
    return new Promise((begin, sendAway) => {
      this.waiting.add(caller, { since: this.clock(), begin, sendAway });
      this.pace.arrived();
    });
  }

  private startTimer(): NodeJS.Timeout {
    this.timerSince = this.clock();
    this.pace.begin(this.timerSince);
    return setInterval(() => this.check(), CHECK_EVERY_MS);
  }

  /** Refuses the commands whose turn will not come in time, which are the last ones in line. */
  private check(): void {
    const now = this.clock();
    this.pace.measure(now, now - this.timerSince > this.options.longestWait / 2);
    let before = 0;
    for (const [caller, turn] of this.waiting.inOrder()) {
      if (now - turn.since + this.pace.timeFor(before) <= this.options.longestWait) before += 1;
      else {
        this.waiting.delete(caller, turn);
        turn.sendAway(this.refusal('its turn would not come in time'));
      }
    }
    if (this.waiting.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private refusal(why: string): Overloaded {
    this.refused += 1;
    return new Overloaded(why, RETRY_AFTER_SECONDS);
  }
}

/** The pace is unknown until it has been measured for this long. */
const KNOWN_AFTER_MS = 1000;
/** Weight of earlier measurements at the next one: about the last 2 s count. */
const DECAY = 0.85;

/** The pace at which turns are given while commands wait. */
class Pace {
  private turns = 0;
  private milliseconds = 0;
  private given = 0;
  private arrivals = 0;
  private measuredAt = 0;

  /** Forgets all measurements. */
  begin(now: number): void {
    this.turns = 0;
    this.milliseconds = 0;
    this.given = 0;
    this.arrivals = 0;
    this.measuredAt = now;
  }

  arrived(): void {
    this.arrivals += 1;
  }

  gave(): void {
    this.given += 1;
  }

  /**
   * Measures the time since the last measurement. Ignores a time without turns: a stalled engine may go on at once.
   * Ignores a time in which a crowd arrived, because arrivals cost work too, unless crowds keep coming.
   * @param isLong whether commands have been waiting for long
   */
  measure(now: number, isLong: boolean): void {
    if (this.given > 0 && (isLong || this.arrivals <= this.given)) {
      this.turns = this.turns * DECAY + this.given;
      this.milliseconds = this.milliseconds * DECAY + (now - this.measuredAt);
    }
    this.given = 0;
    this.arrivals = 0;
    this.measuredAt = now;
  }

  /** Milliseconds until so many turns have been given; 0 if the pace is unknown. */
  timeFor(turns: number): number {
    return this.milliseconds < KNOWN_AFTER_MS ? 0 : (turns * this.milliseconds) / this.turns;
  }
}
