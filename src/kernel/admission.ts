import { UnavailableError } from './domain-error.js';

export interface AdmissionOptions {
  /** Carried out at the same time. */
  readonly atOnce: number;
  /** Most that wait for their turn; of one caller, half of them. */
  readonly mostWaiting: number;
  /** Milliseconds. */
  readonly longestWait: number;
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
  readonly begin: () => void;
}

/** After so long, a client that was sent away may find room. */
const RETRY_AFTER_SECONDS = 2;

/**
 * A bound on the commands of one process, before anything is done for them. Without it, a crowd fills the memory, all
 * take as long as all together, and some run into a timer halfway. Callers take turns, each in the order of their own.
 */
export class Admission {
  private atWork = 0;
  private waitingCount = 0;
  private refused = 0;
  /** By caller, whose turn is next first. */
  private readonly waiting = new Map<number, Set<Turn>>();

  constructor(private readonly options: AdmissionOptions) {}

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
    if (this.waitingCount >= mostWaiting || mine >= mostWaiting / 2) {
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
    return new Promise((resolve, reject) => {
      const turn: Turn = {
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.remove(caller, turn);
        reject(this.refusal('it was not its turn in time'));
      }, this.options.longestWait);
      const turns = this.waiting.get(caller) ?? new Set();
      this.waiting.set(caller, turns.add(turn));
      this.waitingCount += 1;
    });
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
