import type { Recorded } from '../../platform/kernel/event.js';
import type { EventCodec } from '../../platform/log/event-codec.js';
import type { EventStore } from '../../platform/log/event-store.js';
import { messageEvents } from './message-events.js';
import { isWanted, type LogQuery } from './read-log.js';

/** Reads the events of a message in order, its MessageSent first. */
export async function* readMessage(
  log: Pick<EventStore, 'readStream'>,
  codec: Pick<EventCodec, 'decodeWithAddresses'>,
  messageId: number,
  query: LogQuery,
): AsyncGenerator<Recorded> {
  const { types } = query.filter;
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  for await (const event of messageEvents(log, codec, messageId)) {
    if (!isWanted(event.metadata, query) || !(types?.includes(event.type) ?? true)) continue;
    yield event;
    if (--left <= 0) return;
  }
}
