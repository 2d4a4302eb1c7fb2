import type { Message } from '../../platform/client-events.js';

/** Messages that are rendered at a time. */
export const SHOWN = 80;
/** A step is a frame's work: rows are parsed and laid out. */
const STEP = 10;

/** @param from the first message of the window, or the next one if it is gone; null: the window is at the end */
export function shownOf(messages: readonly Message[], from: number | null): readonly Message[] {
  if (from === null) return messages.slice(-SHOWN);
  const index = messages.findIndex(({ id }) => id >= from);
  return index < 0 ? messages.slice(-SHOWN) : messages.slice(index, index + SHOWN);
}

/** The first message of the window that is a step earlier or later; null: there is no such step in what is loaded. */
export function movedWindow(messages: readonly Message[], shown: readonly Message[], direction: -1 | 1): number | null {
  const [first] = shown;
  if (!first) return null;
  const start = messages.indexOf(first);
  const last = Math.max(0, messages.length - SHOWN);
  const moved = Math.min(last, Math.max(0, start + direction * STEP));
  const isAStep = direction < 0 ? moved < start : moved > start;
  return isAStep ? (messages[moved]?.id ?? null) : null;
}
