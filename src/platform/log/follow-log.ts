import { BackOff } from '../kernel/back-off.js';
import type { Position } from '../kernel/position.js';
import { type Batch, type EventFilter, type EventStore, EventStoreUnavailable } from './event-store.js';

interface FollowOptions {
  /** Position to start at, and to resume at after an interruption: up to it, `deliver` has taken over. */
  readonly after: () => Position;
  readonly filter?: EventFilter;
  readonly batchSize?: number;
  readonly signal: AbortSignal;
  /** Takes a batch; the next one is read when it resolves. Rejects to get the same events again later. */
  readonly deliver: (batch: Batch) => Promise<void>;
  /** Called when the log or `deliver` has failed, before another attempt. A log that stays away is reported once. */
  readonly interrupted: (error: unknown) => void;
}

/** Follows the log until the signal aborts, through failures of the engine. Never rejects. */
export async function followLog(eventStore: EventStore, options: FollowOptions): Promise<void> {
  const { after, filter, batchSize, signal, deliver, interrupted } = options;
  const backOff = new BackOff();
  /** Name of the log's failure that was reported since the last batch. */
  let reported: string | null = null;
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
        reported = null;
      }
    } catch (error) {
      if (signal.aborted) return;
      const absence = error instanceof EventStoreUnavailable ? error.name : null;
      if (absence === null || absence !== reported) interrupted(error);
      reported = absence;
      await backOff.wait(signal);
    }
  }
}
