import type { EventCodec } from '../event-codec/event-codec.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Recorded } from '../kernel/event.js';
import { messageStream } from '../messages/domain/message.events.js';
import { MESSAGES_STREAM, revisionOf } from '../messages/domain/messages.events.js';
import { isWanted, type LogQuery } from './read-log.js';

const PAGE = 500;

/** What has become of a message, in order: its MessageSent first. Reads nothing else of the log. */
export async function* readMessage(
  log: Pick<EventStore, 'readStream'>,
  codec: Pick<EventCodec, 'decode'>,
  messageId: number,
  query: LogQuery,
): AsyncGenerator<Recorded> {
  const { types } = query.filter;
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  for await (const page of pagesOf(log, messageId)) {
    const wanted = page.filter(({ type, metadata }) => isWanted(metadata, query) && (types?.includes(type) ?? true));
    for (const event of await codec.decode(wanted)) {
      if (left-- <= 0) return;
      yield event;
    }
  }
}

async function* pagesOf(log: Pick<EventStore, 'readStream'>, messageId: number) {
  const sent = await log.readStream(MESSAGES_STREAM, { from: revisionOf(messageId), limit: 1 });
  yield sent;
  for (let from = 0; sent.length > 0; from += PAGE) {
    const page = await log.readStream(messageStream(messageId), { from, limit: PAGE });
    yield page;
    if (page.length < PAGE) return;
  }
}
