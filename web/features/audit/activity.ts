/** Of the chart. */
const MOST_BARS = 48;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Widths that a bar may have: people know them. */
const WIDTHS = [
  SECOND_MS,
  10 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  DAY_MS,
  7 * DAY_MS,
  30 * DAY_MS,
  365 * DAY_MS,
];

export interface Bar {
  /** Milliseconds since 1970, inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly count: number;
}

/** Events of a moment, or of a part of time that begins with it. */
export interface Counted {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly count: number;
}

/** A width for at most 48 bars from one moment to another: milliseconds, whole seconds. */
export function widthFor(oldest: number, newest: number): number {
  const isFitting = (width: number) => Math.floor(newest / width) - Math.floor(oldest / width) < MOST_BARS;
  return WIDTHS.find(isFitting) ?? Math.ceil((newest - oldest + 1) / (MOST_BARS - 1) / SECOND_MS) * SECOND_MS;
}

/** Bars of equal width from the oldest to the newest; none without events. */
export function barsOf(counted: readonly Counted[], width: number): readonly Bar[] {
  if (counted.length === 0) return [];
  const steps = counted.map(({ at }) => Math.floor(at / width));
  const first = steps.reduce((low, step) => Math.min(low, step));
  const last = steps.reduce((high, step) => Math.max(high, step));
  const counts = Array<number>(last - first + 1).fill(0);
  for (const { at, count } of counted) {
    const step = Math.floor(at / width) - first;
    counts[step] = (counts[step] ?? 0) + count;
  }
  return counts.map((count, n) => ({ from: (first + n) * width, to: (first + n + 1) * width, count }));
}

/** Counts events by time. */
export function activityOf(events: readonly { readonly time: string }[]): readonly Bar[] {
  const times = events.map(({ time }) => Date.parse(time)).filter((time) => !Number.isNaN(time));
  if (times.length === 0) return [];
  const [oldest, newest] = times.reduce(([low, high], time) => [Math.min(low, time), Math.max(high, time)], [
    Infinity,
    0,
  ] as readonly [number, number]);
  return barsOf(
    times.map((at) => ({ at, count: 1 })),
    widthFor(oldest, newest),
  );
}
