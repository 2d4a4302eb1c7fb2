import type { Position } from '../../../platform/kernel/position.js';

/** Milliseconds: as long as concurrent queues take to fetch. */
const HELD_MS = 2000;

/** What is found for the event at a position: queues that fetch it together share one look-up. */
export async function held<T>(all: Map<Position, Promise<T>>, position: Position, fetch: () => Promise<T>): Promise<T> {
  let found = all.get(position);
  if (!found) {
    found = fetch();
    all.set(position, found);
    // A failed read is dropped: the next caller reads again.
    found.catch(() => all.delete(position));
    setTimeout(() => all.delete(position), HELD_MS).unref();
  }
  return found;
}
