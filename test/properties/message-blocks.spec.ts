import { expect, it } from '@jest/globals';
import { type BlockDocument, NONE, type PlaceDocument } from '../../projections/messages/message-blocks.js';
import { type MessageDocument, messages } from '../../projections/messages/messages.projection.js';
import type { TopicPlace } from '../../src/events/messages/topics.events.js';
import { MessageBlock } from '../../src/features/messages/services/message-block.js';
import { foldCase } from '../../src/platform/kernel/text.js';
import { dice } from '../support/dice.js';
import { history, type InHistory } from '../support/events/history.js';
import { move } from '../support/events/moves.js';
import { projected } from '../support/projections/projected.js';

const TOPICS = ['a', 'A', 'b', ''];

const sent = (recipient: object, senderId: number): InHistory => [
  'messages',
  {
    type: 'MessageSent',
    data: { senderId, recipient, readBySender: senderId === 2, localEcho: null, sendKey: null, content: null },
  },
];
const deleted = (messageId: number): InHistory => [
  `message-${messageId}`,
  { type: 'MessageDeleted', data: { messageId, senderId: 1, place: { type: 'direct', userIds: [] }, keyId: 'key' } },
];
const moved = (anchorId: number, from: TopicPlace, to: TopicPlace): InHistory => [
  'topics-1',
  { type: 'MessagesMoved', data: move(from, to, { anchorId }) },
];

it.each([1, 2])('the rows of blocks agree with the documents of messages (history %i)', async (seed) => {
  const roll = dice(seed);
  const place = () => ({ channelId: 1 + roll(3), topic: TOPICS[roll(TOPICS.length)] ?? '' });
  const entries: InHistory[] = [];
  let count = 0;
  for (let step = 0; step < 640; step++) {
    const kind = roll(30);
    if (kind === 0 && count > 0) entries.push(deleted(1 + roll(count)));
    else if (kind === 1 && count > 0) entries.push(moved(1 + roll(count), place(), place()));
    else {
      count++;
      const ids = [1 + roll(3), 4 + roll(2)];
      entries.push(
        sent(roll(4) === 0 ? { type: 'direct', userIds: ids } : { type: 'channel', ...place() }, 1 + roll(3)),
      );
    }
  }

  const documents = await projected(messages, history(...entries));
  const places = new Map(
    (documents.places as readonly PlaceDocument[]).flatMap((one) => (one.number ? [[one.number, one] as const] : [])),
  );
  const blocks = (documents.blocks as readonly BlockDocument[]).map((block) => new MessageBlock(block));
  const said = blocks.flatMap((block) =>
    Array.from({ length: block.count }, (_, at) => at).flatMap((at) => {
      if (block.channels[at] === NONE) return [];
      const { place, ...row } = block.row(at);
      const { topic, topicKey, dmKey, participants, channelId } = places.get(place) ?? {};
      return [row.type === 'channel' ? { ...row, channelId, topic, topicKey } : { ...row, dmKey, participants }];
    }),
  );
  const known = (documents.messages as readonly MessageDocument[]).map((message) => {
    const { _id, sentPosition, senderId, readBySender } = message;
    const row = { _id, sentPosition, senderId, readBySender };
    if (message.type === 'direct')
      return { ...row, type: 'direct', dmKey: message.dmKey, participants: message.participants };
    const { channelId, topic, topicKey, firstChannelId, arrivedPosition, between } = message;
    const stays = between ? { between } : {};
    const came = firstChannelId === undefined ? {} : { firstChannelId, arrivedPosition, ...stays };
    return { ...row, type: 'channel', channelId, topic, topicKey, ...came };
  });
  expect(blocks.length).toBe(2);
  expect(known.some((message) => 'firstChannelId' in message)).toBe(true);
  expect(said).toEqual(known);
  expect([...places.values()].every(({ topic, topicKey }) => topic === undefined || foldCase(topic) === topicKey)).toBe(
    true,
  );
  expect(new Set(places.keys())).toEqual(new Set(Array.from({ length: places.size }, (_, index) => index + 1)));
});
