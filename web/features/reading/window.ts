import type { Message } from '../../platform/client-events.js';

/** Messages that are rendered at a time. */
export const SHOWN = 80;
/** A step is a frame's work: rows are parsed and laid out. */
const STEP = 5;

/** What is rendered, by the ids of its ends. A page that is loaded beside it makes it no larger: it grows by steps. */
export interface Window {
  /** null: as many as fit, to the last. */
  readonly first: number | null;
  /** null: to the end of what is loaded. */
  readonly last: number | null;
}

export const AT_END: Window = { first: null, last: null };

/** The messages of a window. If none of them is there any more, the window is at the end. */
export function shownOf(messages: readonly Message[], { first, last }: Window): readonly Message[] {
  const shown = messages.filter(({ id }) => (first === null || id >= first) && (last === null || id <= last));
  if (shown.length === 0) return messages.slice(-SHOWN);
  return last === null ? shown.slice(-SHOWN) : shown.slice(0, SHOWN);
}

interface Loaded {
  readonly messages: readonly Message[];
  readonly hasNewest: boolean;
}

/** The window of what is loaded from one index to before another. At the newest message it takes in those that come. */
const windowOf = ({ messages, hasNewest }: Loaded, start: number, end: number): Window => ({
  first: messages[start]?.id ?? null,
  last: hasNewest && end >= messages.length ? null : (messages[end - 1]?.id ?? null),
});

/** The window that a place opens with. @param at 0: the newest message */
export function openedWindow(loaded: Loaded, at: number): Window {
  const { messages } = loaded;
  const index = at === 0 ? messages.length : messages.findIndex(({ id }) => id === at);
  const start = Math.max(0, index - (at === 0 ? SHOWN : SHOWN / 2));
  return windowOf(loaded, start, Math.min(messages.length, start + SHOWN));
}

/** The window that is a step earlier or later; null: there is no such step in what is loaded. */
export function movedWindow(loaded: Loaded, shown: readonly Message[], direction: -1 | 1): Window | null {
  const [first] = shown;
  if (!first) return null;
  const { messages } = loaded;
  const start = messages.indexOf(first);
  const end = start + shown.length;
  if (direction < 0) {
    const moved = Math.max(0, start - STEP);
    return moved < start ? windowOf(loaded, moved, Math.min(end, moved + SHOWN)) : null;
  }
  const moved = Math.min(messages.length, end + STEP);
  return moved > end ? windowOf(loaded, Math.max(start, moved - SHOWN), moved) : null;
}
