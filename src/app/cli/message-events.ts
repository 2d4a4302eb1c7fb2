import { messageStream } from '../../events/messages/message.events.js';
import { MESSAGES_STREAM, type MessageSent, revisionOf } from '../../events/messages/messages.events.js';
import { isMoved, type MessagesMoved, type TopicPlace, topicsStream } from '../../events/messages/topics.events.js';
import type { Recorded } from '../../platform/kernel/event.js';
import { foldCase } from '../../platform/kernel/text.js';
import type { EventCodec } from '../../platform/log/event-codec.js';
import type { EventStore } from '../../platform/log/event-store.js';

type Log = Pick<EventStore, 'readStream'>;
type Codec = Pick<EventCodec, 'decodeWithAddresses'>;

const PAGE = 500;

/**
 * Reads all events of a message in log order with their addresses, moves with other messages included. The log alone tells
 * the message's place at each moment, and so the channel whose moves to look at.
 */
export async function* eventsOfMessage(log: Log, codec: Codec, messageId: number): AsyncGenerator<Recorded> {
  const stored = await log.readStream(MESSAGES_STREAM, { from: revisionOf(messageId), limit: 1 });
  const [sent] = (await codec.decodeWithAddresses(stored)) as Recorded<MessageSent>[];
  if (!sent) return;
  yield sent;
  const moves = movesOf(sent, messageId, log, codec);
  let move = await nextOf(moves);
  for await (const event of eventsOf(messageStream(messageId), log, codec)) {
    for (; move && move.position < event.position; move = await nextOf(moves)) yield move;
    yield event;
    // A deleted message moves no more.
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
      if (event.position <= after || !isMoved(data, messageId) || foldCase(data.from.topic) !== foldCase(topic))
        continue;
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
    yield* await codec.decodeWithAddresses(page);
    if (page.length < PAGE) return;
  }
}

async function nextOf(events: AsyncGenerator<Recorded>): Promise<Recorded | null> {
  const { value, done } = await events.next();
  return done ? null : value;
}
