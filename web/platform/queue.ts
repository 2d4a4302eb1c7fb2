import type { ClientEvent, Registered } from './client-events.js';

/** `lost`: the session has ended. */
export type Connection = 'connecting' | 'online' | 'reconnecting' | 'lost';

/** Why an ask of the server failed, as far as the queue cares. */
type Failure = 'no such queue' | 'signed out' | 'other';

export interface QueuePort {
  register(): Promise<Registered>;
  /** @param waits whether the answer waits for an event */
  poll(queueId: string, lastEventId: number, waits: boolean): Promise<readonly ClientEvent[]>;
  failureOf(error: unknown): Failure;
  pause(milliseconds: number): Promise<void>;
}

export interface QueueListener {
  /** Replaces all that is known: a queue starts, or another one after its end. */
  started(state: Registered): void;
  /** Tells each event once, in its order. */
  happened(events: readonly ClientEvent[]): void;
  told(connection: Connection): void;
}

interface Position {
  readonly id: string;
  readonly lastEventId: number;
}

const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Registers an event queue and follows it until the session ends or `stop` is aborted. An ask that failed is repeated with the
 * last event that was told, so that none is lost or told twice. A queue that the server has no longer is registered anew.
 */
export async function followQueue(port: QueuePort, listener: QueueListener, stop: AbortSignal): Promise<void> {
  let queue: Position | null = null;
  let failures = 0;
  while (!stop.aborted) {
    let tell: () => void;
    try {
      if (queue) {
        const { id, lastEventId }: Position = queue;
        // After a failure nobody should wait for an event to know that the server is there again.
        const events = await port.poll(id, lastEventId, failures === 0);
        const fresh: readonly ClientEvent[] = events.filter((event) => event.id > lastEventId);
        queue = { id, lastEventId: fresh.at(-1)?.id ?? lastEventId };
        tell = () => listener.happened(fresh);
      } else {
        const state = await port.register();
        queue = { id: state.queue_id, lastEventId: state.last_event_id };
        tell = () => listener.started(state);
      }
    } catch (error) {
      if (stop.aborted) return;
      const failure = port.failureOf(error);
      if (failure === 'signed out') return listener.told('lost');
      if (failure === 'no such queue') queue = null;
      else {
        listener.told('reconnecting');
        await port.pause(pauseAfter(failures));
      }
      failures += 1;
      continue;
    }
    if (stop.aborted) return;
    failures = 0;
    tell();
    listener.told('online');
  }
}

const pauseAfter = (failures: number): number => Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** failures);
