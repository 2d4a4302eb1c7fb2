import type { Position } from '../platform/kernel/position.js';
import type { PositionInterval } from './directory.records.js';

/** Whether one of the intervals was open right after the event at `position`. */
export function covers(intervals: readonly PositionInterval[] = [], position: Position): boolean {
  return intervals.some(({ from, to }) => from <= position && (to === null || position < to));
}
