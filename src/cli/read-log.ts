import type { EventCodec } from '../event-codec/event-codec.js';
import type { Batch, EventFilter, EventStore } from '../event-store/event-store.js';
import type { Recorded } from '../kernel/event.js';
import { type Position, START } from '../kernel/position.js';

export interface LogQuery {
  readonly filter: EventFilter;
  readonly actorId?: number;
  /** Both inclusive, milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
  /** Most events returned. */
  readonly limit?: number;
  /** Wait for further events until the signal aborts, instead of ending at the head of the log. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

const PAGE = 500;

/** The events of the log that match, in its order. */
export async function* readLog(
  log: Pick<EventStore, 'readAll' | 'subscribe' | 'head'>,
  codec: Pick<EventCodec, 'decode'>,
  query: LogQuery,
): AsyncGenerator<Recorded> {
  const { filter, signal } = query;
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  const batches = query.follow
    ? log.subscribe({ after: START, filter, signal, batchSize: PAGE })
    : pagesUpTo(log, await log.head(), query);
  for await (const { events } of batches) {
    const wanted = events.filter(({ metadata }) => isWanted(metadata, query));
    for (const event of await codec.decode(wanted)) {
      yield event;
      if (--left === 0) return;
    }
  }
}

/** Ends at what was the head when it was called, however fast the log grows. */
async function* pagesUpTo(
  log: Pick<EventStore, 'readAll'>,
  head: Position,
  { filter, signal }: LogQuery,
): AsyncGenerator<Batch> {
  let after: Position = START;
  while (after < head && !signal.aborted) {
    const page = await log.readAll({ after, filter, limit: PAGE });
    yield { ...page, events: page.events.filter(({ position }) => position <= head) };
    after = page.position;
    if (page.caughtUp) return;
  }
}

export function isWanted(metadata: { actorId: number | null; at: number }, query: LogQuery): boolean {
  if (query.actorId !== undefined && metadata.actorId !== query.actorId) return false;
  return metadata.at >= (query.since ?? -Infinity) && metadata.at <= (query.until ?? Infinity);
}
