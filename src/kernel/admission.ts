import { UnavailableError } from './domain-error.js';

export interface AdmissionOptions {
  /** Carried out at the same time. */
  readonly atOnce: number;
  /** Most that wait for their turn; of one caller, half of them. */
  readonly mostWaiting: number;
  /** Milliseconds until somebody's turn; whose turn will not have come by then is sent away as soon as that shows. */
  readonly longestWait: number;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

/** How busy a process is with commands. */
export interface Busyness {
  readonly atWork: number;
  readonly waiting: number;
  /** Sent away since the process started. */
  readonly refused: number;
}

/** There is more to do than can be done: nothing of it was begun, so nothing was stored. */
export class Overloaded extends UnavailableError {
  override readonly name = 'Overloaded';
}

interface Turn {
  readonly since: number;
  readonly begin: () => void;
  readonly sendAway: (error: Overloaded) => void;
}

/** After so long, a client that was sent away may find room. */
const RETRY_AFTER_SECONDS = 2;
const LOOK_EVERY_MS = 250;

/**
 * A bound on the commands of one process, before anything is done for them. Without it, a crowd fills the memory, all
 * take as long as all together, and some run into a timer halfway. Callers take turns, each in the order of their own.
 *
 * How many may wait is what is configured, and no more than will have their turn in time at the pace at which turns are
 * given just now: nobody is left waiting in vain.
 */
export class Admission {
  private atWork = 0;
  private waitingCount = 0;
  private refused = 0;
  /** By caller, whose turn is next first. */
  private readonly waiting = new Map<number, Set<Turn>>();
  private readonly clock: () => number;
  private readonly pace = new Pace();
  private looking: NodeJS.Timeout | null = null;
  private lookingSince = 0;

  constructor(private readonly options: AdmissionOptions) {
    this.clock = options.clock ?? (() => performance.now());
  }

  get busyness(): Busyness {
    return { atWork: this.atWork, waiting: this.waitingCount, refused: this.refused };
  }

  /**
   * Whoever is let in calls `leave`.
   *
   * @returns null: at once; otherwise when it is their turn
   * @throws Overloaded; the promise as well, after too long a wait
   */
  enter(caller: number): Promise<void> | null {
    const { atOnce, mostWaiting } = this.options;
    if (this.atWork < atOnce) {
      this.atWork += 1;
      return null;
    }
    const mine = this.waiting.get(caller)?.size ?? 0;
    const isFull = this.waitingCount >= mostWaiting || mine >= mostWaiting / 2;
    if (isFull || this.pace.timeFor(this.waitingCount) > this.options.longestWait) {
      throw this.refusal('too many commands wait for their turn');
    }
    return this.wait(caller);
  }

  /** Whoever is next takes the place. */
  leave(): void {
    const [next] = this.waiting;
    if (!next) {
      this.atWork -= 1;
      return;
    }
    const [caller, turns] = next;
    const [turn] = turns;
    if (turn) this.remove(caller, turn);
    // The others come first now.
    if (this.waiting.delete(caller)) this.waiting.set(caller, turns);
    this.pace.gave();
    turn?.begin();
  }

  /**
   * Somebody at work waits for others, and takes nobody's place meanwhile. Commands that nobody had to let in may do so
   * too: what they give is what they take back.
   */
  async outside<T>(wait: () => Promise<T>): Promise<T> {
    this.leave();
    try {
      return await wait();
    } finally {
      this.atWork += 1;
    }
  }

  private wait(caller: number): Promise<void> {
    this.looking ??= this.startLooking();
    return new Promise((begin, sendAway) => {
      const turns = this.waiting.get(caller) ?? new Set();
      this.waiting.set(caller, turns.add({ since: this.clock(), begin, sendAway }));
      this.waitingCount += 1;
      this.pace.came();
    });
  }

  private startLooking(): NodeJS.Timeout {
    this.lookingSince = this.clock();
    this.pace.begin(this.lookingSince);
    return setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  /** Whose turn will not have come in time is sent away, those that came last first. */
  private look(): void {
    const now = this.clock();
    this.pace.look(now, now - this.lookingSince > this.options.longestWait / 2);
    let before = 0;
    for (const [caller, turn] of this.inOrder()) {
      if (now - turn.since + this.pace.timeFor(before) <= this.options.longestWait) before += 1;
      else {
        this.remove(caller, turn);
        turn.sendAway(this.refusal('it would not be its turn in time'));
      }
    }
    if (this.waitingCount > 0 || !this.looking) return;
    clearInterval(this.looking);
    this.looking = null;
  }

  /** Everybody's first turn, everybody's second, and so on, as they would be given. */
  private inOrder(): [caller: number, turn: Turn][] {
    const rounds: [caller: number, turn: Turn][][] = [];
    for (const [caller, turns] of this.waiting) {
      let round = 0;
      for (const turn of turns) {
        rounds[round] ??= [];
        rounds[round]?.push([caller, turn]);
        round += 1;
      }
    }
    return rounds.flat();
  }

  private remove(caller: number, turn: Turn): void {
    const turns = this.waiting.get(caller);
    if (!turns?.delete(turn)) return;
    this.waitingCount -= 1;
    if (turns.size === 0) this.waiting.delete(caller);
  }

  private refusal(why: string): Overloaded {
    this.refused += 1;
    return new Overloaded(why, RETRY_AFTER_SECONDS);
  }
}

/** The first looks are no measure. */
const KNOWN_AFTER_MS = 1000;
/** What of the looks before counts at the next one: about the last 2 s do. */
const FADES_BY = 0.85;

/** How fast turns are given, where somebody waits for one. */
class Pace {
  private turns = 0;
  private milliseconds = 0;
  private given = 0;
  private arrived = 0;
  private lookedAt = 0;

  /** Nothing is known of how fast it goes now. */
  begin(now: number): void {
    this.turns = 0;
    this.milliseconds = 0;
    this.given = 0;
    this.arrived = 0;
    this.lookedAt = now;
  }

  came(): void {
    this.arrived += 1;
  }

  gave(): void {
    this.given += 1;
  }

  /**
   * A time in which no turn was given tells nothing: an engine that stands still may go on at once. Nor does one in which
   * a crowd came, which is work, too, unless crowds keep coming.
   */
  look(now: number, isLong: boolean): void {
    if (this.given > 0 && (isLong || this.arrived <= this.given)) {
      this.turns = this.turns * FADES_BY + this.given;
      this.milliseconds = this.milliseconds * FADES_BY + (now - this.lookedAt);
    }
    this.given = 0;
    this.arrived = 0;
    this.lookedAt = now;
  }

  /** Milliseconds until so many turns have been given; 0 where it is not known. */
  timeFor(turns: number): number {
    return this.milliseconds < KNOWN_AFTER_MS ? 0 : (turns * this.milliseconds) / this.turns;
  }
}
