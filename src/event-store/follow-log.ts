import { BackOff } from '../kernel/back-off.js';
import type { Position } from '../kernel/position.js';
import type { Batch, EventFilter, EventStore } from './event-store.js';

export interface FollowOptions {
  /** Where to start, and to resume after an interruption: what `deliver` has taken over. */
  readonly after: () => Position;
  readonly filter?: EventFilter;
  readonly batchSize?: number;
  readonly signal: AbortSignal;
  /** The next batch is read when it resolves. Rejects to be given the same events again, later. */
  readonly deliver: (batch: Batch) => Promise<void>;
  /** The log, or `deliver`, failed; it will be tried again. */
  readonly interrupted: (error: unknown) => void;
}

/** Follows the log until the signal aborts, whatever happens to the engine meanwhile. Never rejects. */
export async function followLog(eventStore: EventStore, options: FollowOptions): Promise<void> {
  const { after, filter, batchSize, signal, deliver, interrupted } = options;
  const backOff = new BackOff();
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
      }
    } catch (error) {
      if (signal.aborted) return;
      interrupted(error);
      await backOff.wait(signal);
    }
  }
}
