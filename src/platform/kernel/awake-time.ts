/** Milliseconds between two ticks, which show that the event loop runs. */
const TICK_MS = 100;
/** The most that the time between two ticks counts for, milliseconds. */
const MOST_PER_TICK_MS = 2 * TICK_MS;

let counted = 0;
let tickedAt = performance.now();
let isTicking = false;

/**
 * Monotonic milliseconds in which this process was awake. Time in which its event loop was blocked, or the process
 * stopped, hardly counts. Measures the silence of others, whose messages may have arrived and wait to be read.
 */
export function awakeNow(): number {
  if (!isTicking) {
    isTicking = true;
    tickedAt = performance.now();
    setInterval(tick, TICK_MS).unref();
  }
  return counted + sinceTick();
}

const sinceTick = (): number => Math.min(performance.now() - tickedAt, MOST_PER_TICK_MS);

function tick(): void {
  counted += sinceTick();
  tickedAt = performance.now();
}

/** A timer that counts the time in which this process was awake. */
export class AwakeTimer {
  private until: number;
  private timer: NodeJS.Timeout;

  constructor(
    private readonly milliseconds: number,
    private readonly over: () => void,
  ) {
    this.until = awakeNow() + milliseconds;
    this.timer = setTimeout(() => this.check(), milliseconds);
  }

  /** Starts the whole time again. */
  refresh(): void {
    this.until = awakeNow() + this.milliseconds;
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  /** Waits at least one more turn of the event loop while time is left: messages that have arrived are read first. */
  private check(): void {
    const left = this.until - awakeNow();
    if (left <= 0) this.over();
    else this.timer = setTimeout(() => this.check(), Math.max(1, left));
  }
}

/**
 * Settles as the promise does, or rejects with `late()` after so many milliseconds in which this process was awake. A
 * later outcome of the promise is ignored.
 */
export async function withTimeout<T>(promise: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  let timer: AwakeTimer | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = new AwakeTimer(Math.max(0, milliseconds), () => reject(late()));
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    timer?.clear();
  }
}
