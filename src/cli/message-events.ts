import type { EventCodec } from '../event-codec/event-codec.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Recorded } from '../kernel/event.js';
import { fold } from '../kernel/fold.js';
import { messageStream } from '../messages/domain/message.events.js';
import { MESSAGES_STREAM, type MessageSent, revisionOf } from '../messages/domain/messages.events.js';
import { isMoved, type MessagesMoved, type TopicPlace, topicsStream } from '../topics/domain/topics.events.js';

type Log = Pick<EventStore, 'readStream'>;
type Codec = Pick<EventCodec, 'decode'>;

const PAGE = 500;

/**
 * All that has happened to a message, in the order of the log: also the moves that took it with others. Where it was at
 * each moment follows from the log alone, and so does which channel's moves to look at.
 */
export async function* messageEvents(log: Log, codec: Codec, messageId: number): AsyncGenerator<Recorded> {
  const stored = await log.readStream(MESSAGES_STREAM, { from: revisionOf(messageId), limit: 1 });
  const [sent] = (await codec.decode(stored)) as Recorded<MessageSent>[];
  if (!sent) return;
  yield sent;
  const moves = movesOf(sent, messageId, log, codec);
  let move = await nextOf(moves);
  for await (const event of eventsOf(messageStream(messageId), log, codec)) {
    for (; move && move.position < event.position; move = await nextOf(moves)) yield move;
    yield event;
    // Where it was is empty since.
    if (event.type === 'MessageDeleted') return;
  }
  for (; move; move = await nextOf(moves)) yield move;
}

async function* movesOf(
  { data: { recipient }, position }: Recorded<MessageSent>,
  messageId: number,
  log: Log,
  codec: Codec,
): AsyncGenerator<Recorded> {
  if (recipient.type === 'direct') return;
  let place: TopicPlace | null = recipient;
  let after = position;
  while (place) {
    const { channelId }: TopicPlace = place;
    let topic: string = place.topic;
    place = null;
    for await (const event of eventsOf(topicsStream(channelId), log, codec)) {
      const { data } = event as Recorded<MessagesMoved>;
      if (event.position <= after || !isMoved(data, messageId) || fold(data.from.topic) !== fold(topic)) continue;
      yield event;
      after = event.position;
      topic = data.to.topic;
      if (data.to.channelId === channelId) continue;
      place = data.to;
      break;
    }
  }
}

async function* eventsOf(stream: string, log: Log, codec: Codec): AsyncGenerator<Recorded> {
  for (let from = 0; ; from += PAGE) {
    const page = await log.readStream(stream, { from, limit: PAGE });
    yield* await codec.decode(page);
    if (page.length < PAGE) return;
  }
}

async function nextOf(events: AsyncGenerator<Recorded>): Promise<Recorded | null> {
  const { value, done } = await events.next();
  return done ? null : value;
}
