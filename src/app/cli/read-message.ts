import type { Recorded } from '../../platform/kernel/event.js';
import type { EventCodec } from '../../platform/log/event-codec.js';
import type { EventStore } from '../../platform/log/event-store.js';
import { messageEvents } from './message-events.js';
import { isWanted, type LogQuery } from './read-log.js';

/** Reads the wanted events of a message in order. @throws Error if there is no such message */
export async function* readMessage(
  log: Pick<EventStore, 'readStream'>,
  codec: Pick<EventCodec, 'decodeWithAddresses'>,
  messageId: number,
  query: LogQuery,
): AsyncGenerator<Recorded> {
  const { filter, limit, last } = query;
  const all: Recorded[] = [];
  for await (const event of messageEvents(log, codec, messageId)) all.push(event);
  if (all.length === 0) throw new Error(`there is no message ${messageId}`);
  const wanted = all.filter(
    ({ metadata, type }) => isWanted(metadata, query) && (filter.types?.includes(type) ?? true),
  );
  yield* last === undefined ? wanted.slice(0, limit) : wanted.slice(-last);
}
