import type { AuditEvent } from './found.js';

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

/** Counts events by time: bars of equal width from the oldest event to the newest; none without events. */
export function activityOf(events: readonly Pick<AuditEvent, 'time'>[]): readonly Bar[] {
  const times = events.map(({ time }) => Date.parse(time)).filter((time) => !Number.isNaN(time));
  if (times.length === 0) return [];
  const [oldest, newest] = times.reduce(([low, high], time) => [Math.min(low, time), Math.max(high, time)], [
    times[0] ?? 0,
    times[0] ?? 0,
  ] as const);
  const isFitting = (width: number) => Math.floor(newest / width) - Math.floor(oldest / width) < MOST_BARS;
  const width = WIDTHS.find(isFitting) ?? Math.ceil((newest - oldest + 1) / (MOST_BARS - 1));
  const first = Math.floor(oldest / width);
  const counts = Array<number>(Math.floor(newest / width) - first + 1).fill(0);
  for (const time of times) {
    const at = Math.floor(time / width) - first;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts.map((count, n) => ({ from: (first + n) * width, to: (first + n + 1) * width, count }));
}
