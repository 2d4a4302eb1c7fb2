/** How often it is looked whether the process still turns: ms. */
const LOOK_EVERY_MS = 100;
/** What a stretch in which it did not turn counts for at most: ms. */
const MOST_AT_ONCE_MS = 2 * LOOK_EVERY_MS;

let counted = 0;
let lookedAt = performance.now();
let isLooking = false;

/**
 * Monotonic milliseconds in which this process was awake: a stretch in which it was too busy to look at what had come,
 * or was stopped, hardly counts. Others' silence is measured by it: what they said may be here, and unread.
 */
export function awakeNow(): number {
  if (!isLooking) {
    isLooking = true;
    lookedAt = performance.now();
    setInterval(look, LOOK_EVERY_MS).unref();
  }
  return counted + sinceLook();
}

const sinceLook = (): number => Math.min(performance.now() - lookedAt, MOST_AT_ONCE_MS);

function look(): void {
  counted += sinceLook();
  lookedAt = performance.now();
}

/** A timer by the time in which this process was awake. */
export class AwakeTimer {
  private until: number;
  private timer: NodeJS.Timeout;

  constructor(
    private readonly milliseconds: number,
    private readonly over: () => void,
  ) {
    this.until = awakeNow() + milliseconds;
    this.timer = setTimeout(() => this.look(), milliseconds);
  }

  /** All of the time again. */
  refresh(): void {
    this.until = awakeNow() + this.milliseconds;
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  /** What has come meanwhile is looked at before the next one. */
  private look(): void {
    const left = this.until - awakeNow();
    if (left <= 0) this.over();
    else this.timer = setTimeout(() => this.look(), Math.max(1, left));
  }
}
