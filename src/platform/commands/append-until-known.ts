import { setTimeout as pause } from 'node:timers/promises';
import { withTimeout } from '../kernel/awake-time.js';
import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  type NewEvent,
} from '../log/event-store.js';
import { timed } from './appends.js';

const ATTEMPTS = 5;
const PAUSE_MS = 20;

/**
 * Appends until the outcome is known, for at most `longest` milliseconds. A failed append may have been stored, so it
 * is repeated under the same event ids; a repeat answers the first result.
 *
 * @throws EventStoreUnavailable with `stored: 'no'`, or with `'unknown'` if the engine stays away
 */
export async function appendUntilKnown(
  eventStore: EventStore,
  longest: number,
  stream: string,
  events: readonly NewEvent[],
  expected: ExpectedRevision,
): Promise<AppendResult> {
  const deadline = performance.now() + longest;
  const late = (): Error => new EventStoreUnavailable(`${stream}: no answer from the log in time`, 'unknown');
  let outcome: EventStoreUnavailable | null = null;
  for (let attempt = 1; ; attempt++) {
    try {
      const appending = timed(stream, events.length, eventStore.append(stream, events, expected));
      // The engine bounds the first attempt itself, which saves a timer.
      return await (attempt === 1 ? appending : withTimeout(appending, deadline - performance.now(), late));
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable)) throw error;
      // An earlier attempt may have been stored even if this one was not.
      if (error.stored === 'unknown') outcome = error;
      if (outcome === null || attempt === ATTEMPTS) throw outcome ?? error;
      const breath = PAUSE_MS * 2 ** attempt;
      if (performance.now() + breath >= deadline) throw outcome;
      await pause(breath);
    }
  }
}
