/** Milliseconds of one kind of work in a turn of the event loop. Then everything else has its turn. */
const SLICE_MS = 10;

/** Carries out pieces of work one after the other, as many in each turn of the event loop as fit into a slice of it. */
export class Slices {
  /** End of the slice of this turn; null: no work has begun in it. */
  private end: number | null = null;
  private isPumping = false;

  /** @param next begins the next piece, and gets as far as it can without waiting; false: there is none */
  constructor(private readonly next: () => boolean) {}

  /** Whether a piece may begin at once, in this turn. */
  hasTime(): boolean {
    const now = performance.now();
    if (this.end !== null) return now < this.end;
    this.begin(now);
    return true;
  }

  /** Carries out all pieces from the next turn on. */
  soon(): void {
    if (this.isPumping) return;
    this.isPumping = true;
    setImmediate(() => {
      this.begin(performance.now());
      this.pump();
    });
  }

  private begin(now: number): void {
    this.end = now + SLICE_MS;
    setImmediate(() => {
      this.end = null;
    });
  }

  private pump(): void {
    if (this.hasTime()) {
      // A tick that a microtask asks for comes once no microtask is left: the piece waits for something, or is done.
      if (this.next()) queueMicrotask(() => process.nextTick(() => this.pump()));
      else this.isPumping = false;
      return;
    }
    this.isPumping = false;
    this.soon();
  }
}

const waiting: (() => void)[] = [];
const slices = new Slices(() => {
  const resume = waiting.shift();
  resume?.();
  return resume !== undefined;
});

/**
 * Leaves the turn of the event loop to others, in the middle of long work. What is done for all clients together goes on
 * for one slice of each turn (D19), in the order in which it was left, so a piece should take a few milliseconds at most.
 */
export function nextSlice(): Promise<void> {
  return new Promise((resume) => {
    waiting.push(resume);
    slices.soon();
  });
}
