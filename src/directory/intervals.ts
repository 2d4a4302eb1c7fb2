import type { Position } from '../kernel/position.js';
import type { PositionInterval } from './directory.records.js';

/** Whether the state that the intervals tell of held once the event at `position` had happened. */
export function covers(intervals: readonly PositionInterval[] = [], position: Position): boolean {
  return intervals.some(({ from, to }) => from <= position && (to === null || position < to));
}
