import { BackOff } from '../kernel/back-off.js';
import type { Position } from '../kernel/position.js';
import { type Batch, type EventFilter, type EventStore, EventStoreUnavailable } from './event-store.js';

export interface FollowOptions {
  /** Where to start, and to resume after an interruption: what `deliver` has taken over. */
  readonly after: () => Position;
  readonly filter?: EventFilter;
  readonly batchSize?: number;
  readonly signal: AbortSignal;
  /** The next batch is read when it resolves. Rejects to be given the same events again, later. */
  readonly deliver: (batch: Batch) => Promise<void>;
  /** The log, or `deliver`, failed; it will be tried again. Of a log that stays away, this is told once. */
  readonly interrupted: (error: unknown) => void;
}

/** Follows the log until the signal aborts, whatever happens to the engine meanwhile. Never rejects. */
export async function followLog(eventStore: EventStore, options: FollowOptions): Promise<void> {
  const { after, filter, batchSize, signal, deliver, interrupted } = options;
  const backOff = new BackOff();
  /** What kind of absence was told since something came. */
  let told: string | null = null;
  while (!signal.aborted) {
    try {
      const subscription = eventStore.subscribe({
        after: after(),
        signal,
        ...(filter ? { filter } : {}),
        ...(batchSize === undefined ? {} : { batchSize }),
      });
      for await (const batch of subscription) {
        await deliver(batch);
        backOff.reset();
        told = null;
      }
    } catch (error) {
      if (signal.aborted) return;
      const absence = error instanceof EventStoreUnavailable ? error.name : null;
      if (absence === null || absence !== told) interrupted(error);
      told = absence;
      await backOff.wait(signal);
    }
  }
}
