import type { Recorded } from '../../platform/kernel/event.js';
import { START } from '../../platform/kernel/position.js';
import { type EventCodec, NewerEvent } from '../../platform/log/event-codec.js';
import {
  type EventFilter,
  type EventStore,
  type StoredEvent,
  UnreadableEvent,
} from '../../platform/log/event-store.js';
import { newestEvents, pagesUpTo } from './log-cursor.js';
import { eventsOfMessage } from './message-events.js';

export interface LogQuery {
  readonly filter: EventFilter;
  readonly actorIds?: ReadonlySet<number>;
  /** Times, both inclusive, in milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
  /** Most events returned. */
  readonly limit?: number;
  /** Only so many of the newest events, in log order; not with `limit` or `follow`. */
  readonly last?: number;
  /** True: wait for further events until the signal aborts, instead of ending at the head of the log. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

const PAGE = 500;

/** Reads the matching events of the log, in its order. One that is damaged stops none of the others. */
export async function* readLog(
  log: Pick<EventStore, 'readAll' | 'readAt' | 'subscribe' | 'head'>,
  codec: Pick<EventCodec, 'decodeWithAddresses'>,
  query: LogQuery,
): AsyncGenerator<Recorded | UnreadableEvent> {
  const { filter, signal, last } = query;
  if (last !== undefined) {
    const isNewest = { filter, isWanted: ({ metadata }: StoredEvent) => isWanted(metadata, query) };
    yield* await decoded(await newestEvents(log, last, isNewest), codec);
    return;
  }
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  const pages = query.follow ? followed(log, query) : pagesUpTo(log, await log.head(), { filter, signal });
  for await (const events of pages) {
    const wanted = events.filter(({ metadata }) => isWanted(metadata, query));
    for (const event of await decoded(wanted, codec)) {
      yield event;
      if (--left === 0) return;
    }
  }
}

async function decoded(
  stored: readonly StoredEvent[],
  codec: Pick<EventCodec, 'decodeWithAddresses'>,
): Promise<readonly (Recorded | UnreadableEvent)[]> {
  try {
    return await codec.decodeWithAddresses(stored);
  } catch (error) {
    if (error instanceof UnreadableEvent && stored.length === 1) return [error];
    if (!(error instanceof UnreadableEvent || error instanceof NewerEvent) || stored.length === 1) throw error;
    // Events before and behind the unreadable one can be read.
    const events: (Recorded | UnreadableEvent)[] = [];
    for (const one of stored) events.push(...(await decoded([one], codec)));
    return events;
  }
}

/** Reads the log on after its head. */
async function* followed(
  log: Pick<EventStore, 'subscribe'>,
  { filter, signal }: LogQuery,
): AsyncGenerator<readonly StoredEvent[]> {
  for await (const { events } of log.subscribe({ after: START, filter, signal, batchSize: PAGE })) yield events;
}

function isWanted(metadata: { actorId: number | null; at: number }, query: LogQuery): boolean {
  if (query.actorIds && (metadata.actorId === null || !query.actorIds.has(metadata.actorId))) return false;
  return metadata.at >= (query.since ?? -Infinity) && metadata.at <= (query.until ?? Infinity);
}

/** Reads the wanted events of a message in order. @throws Error if there is no such message */
export async function* readMessage(
  log: Pick<EventStore, 'readStream'>,
  codec: Pick<EventCodec, 'decodeWithAddresses'>,
  messageId: number,
  query: LogQuery,
): AsyncGenerator<Recorded> {
  const { filter, limit, last } = query;
  const all: Recorded[] = [];
  for await (const event of eventsOfMessage(log, codec, messageId)) all.push(event);
  if (all.length === 0) throw new Error(`there is no message ${messageId}`);
  const wanted = all.filter(
    ({ metadata, type }) => isWanted(metadata, query) && (filter.types?.includes(type) ?? true),
  );
  yield* last === undefined ? wanted.slice(0, limit) : wanted.slice(-last);
}
