import { describe, expect, it } from '@jest/globals';
import { messages } from '../../../projections/messages/messages.projection.js';
import type { MoveHistoryDocument } from '../../../projections/messages/move-history.js';
import type { MessagesMoved, TopicPlace } from '../../../src/events/messages/topics.events.js';
import { history, type InHistory } from '../../support/events/history.js';
import { move } from '../../support/events/moves.js';
import { type Documents, projected } from '../../support/projections/projected.js';

const sent = (channelId: number, topic: string): InHistory => [
  'messages',
  {
    type: 'MessageSent',
    data: {
      senderId: 1,
      recipient: { type: 'channel', channelId, topic },
      readBySender: true,
      localEcho: null,
      sendKey: null,
      content: { text: 'x', rendered: 'x', rendererVersion: 1 },
    },
  },
];

const moved = (
  anchorId: number,
  from: TopicPlace,
  to: TopicPlace,
  more: Partial<MessagesMoved['data']> = {},
): InHistory => [
  `topics-${from.channelId}`,
  { type: 'MessagesMoved', data: move(from, to, { anchorId, ...more }) },
  { actorId: 9 },
];

const deleted = (messageId: number): InHistory => [
  `message-${messageId}`,
  {
    type: 'MessageDeleted',
    data: { messageId, senderId: 1, place: { type: 'channel', channelId: 1, topic: 'a' }, keyId: 'key' },
  },
];

const place = (channelId: number, topic: string): TopicPlace => ({ channelId, topic });
const at = (position: number): number => 1_700_000_000_000 + position * 1000;

interface PlacedDocument {
  readonly _id: number;
  readonly channelId: number;
  readonly topic: string;
}

async function afterEvents(...entries: InHistory[]): Promise<Documents & { readonly places: Record<number, string> }> {
  const documents = await projected(messages, history(...entries));
  const all = documents.messages as unknown as PlacedDocument[];
  const places = Object.fromEntries(all.map(({ _id, channelId, topic }) => [_id, `${channelId}/${topic}`]));
  return Object.assign({ ...documents }, { places }) as never;
}

describe('a move in the messages projection', () => {
  const two = [sent(1, 'a'), sent(1, 'b'), sent(1, 'A'), sent(1, 'a')];

  it('moves the whole topic, and is recorded with the ids of its messages', async () => {
    const {
      places,
      moves,
      journeys,
      messages: all,
    } = await afterEvents(...two, moved(3, place(1, 'a'), place(2, 'C')), sent(1, 'a'));
    expect(places).toEqual({ 1: '2/C', 2: '1/b', 3: '2/C', 4: '2/C', 5: '1/a' });
    const move = { position: 5, at: at(5), moverId: 9, from: place(1, 'a'), to: place(2, 'C') };
    expect(moves).toEqual([
      {
        _id: 5,
        ...move,
        anchorId: 3,
        propagateMode: 'change_all',
        messageIds: [
          [1, 1],
          [3, 4],
        ],
      },
    ]);
    expect(all?.[2]).toMatchObject({
      topicKey: 'c',
      position: 5,
      sentPosition: 3,
      sentTo: place(1, 'a'),
      arrivedPosition: 5,
      firstChannelId: 1,
    });
    // The messages have the same history of moves. Each holds only its id.
    const [journey] = journeys as unknown as MoveHistoryDocument[];
    expect(journeys).toEqual([{ _id: expect.any(String), moves: [move], movedAt: at(5), position: 5 }]);
    expect([1, 3, 4].map((id) => all?.find(({ _id }) => _id === id))).toMatchObject(
      Array.from({ length: 3 }, () => ({ journey: journey?._id })),
    );
    expect(all?.[1]).not.toHaveProperty('journey');
  });

  it('moves one message, or one message and the later ones of its topic', async () => {
    const one = await afterEvents(...two, moved(3, place(1, 'a'), place(1, 'c'), { propagateMode: 'change_one' }));
    expect(one.places).toEqual({ 1: '1/a', 2: '1/b', 3: '1/c', 4: '1/a' });
    expect(one.messages?.[2]).not.toHaveProperty('arrivedPosition');
    const later = await afterEvents(...two, moved(3, place(1, 'a'), place(1, 'c'), { propagateMode: 'change_later' }));
    expect(later.places).toEqual({ 1: '1/a', 2: '1/b', 3: '1/c', 4: '1/c' });
  });

  it('moves the messages after its anchor even if the anchor is deleted', async () => {
    const { places } = await afterEvents(
      ...two,
      deleted(3),
      moved(3, place(1, 'a'), place(1, 'c'), { propagateMode: 'change_later' }),
    );
    expect(places).toEqual({ 1: '1/a', 2: '1/b', 4: '1/c' });
  });

  it('leaves messages that the mover could not see', async () => {
    const reach = [[3, null]] as const;
    const { places, topics } = await afterEvents(...two, moved(3, place(1, 'a'), place(1, 'c'), { reach }));
    expect(places).toEqual({ 1: '1/a', 2: '1/b', 3: '1/c', 4: '1/c' });
    expect(topics).toMatchObject([
      { _id: '1/a', lastMessageId: 1 },
      { _id: '1/b', lastMessageId: 2 },
      { _id: '1/c', firstPosition: 3, lastMessageId: 4 },
    ]);
  });

  it('moves no message that an earlier move took out of the topic', async () => {
    const { places, moves } = await afterEvents(
      ...two,
      moved(3, place(1, 'a'), place(1, 'c')),
      moved(3, place(1, 'a'), place(1, 'd')),
      moved(3, place(1, 'a'), place(1, 'd'), { propagateMode: 'change_one' }),
    );
    expect(places).toEqual({ 1: '1/c', 2: '1/b', 3: '1/c', 4: '1/c' });
    expect(moves).toMatchObject([{ _id: 5 }, { _id: 6, messageIds: [] }, { _id: 7, messageIds: [] }]);
  });

  it('keeps the channels that a message passed through, and the messages moved into each channel', async () => {
    const { messages: all, arrivals } = await afterEvents(
      ...two,
      moved(1, place(1, 'a'), place(2, 'a')),
      sent(2, 'a'),
      moved(1, place(2, 'a'), place(3, 'a')),
      moved(1, place(3, 'a'), place(1, 'a'), { propagateMode: 'change_one' }),
    );
    const between = [
      { channelId: 2, since: 5 },
      { channelId: 3, since: 7 },
    ];
    expect(all?.[0]).toMatchObject({ channelId: 1, firstChannelId: 1, arrivedPosition: 8, between });
    expect(all?.[2]).toMatchObject({ channelId: 3, firstChannelId: 1, arrivedPosition: 7 });
    expect(all?.[4]).toMatchObject({ channelId: 3, firstChannelId: 2, arrivedPosition: 7 });
    expect(arrivals).toMatchObject([
      { _id: '1/1', oldest: 1, newest: 1 },
      { _id: '2/1', oldest: 1, newest: 4 },
      { _id: '3/1', oldest: 1, newest: 4 },
      { _id: '3/2', oldest: 6, newest: 6 },
    ]);
  });

  it('is kept, however many follow, while the documents of messages do not grow', async () => {
    const topics = Array.from({ length: 150 }, (_, n) => place(1, n % 2 === 0 ? 'a' : 'b'));
    const there = topics.slice(1).map((to, n) => moved(1, place(1, n % 2 === 0 ? 'a' : 'b'), to));
    const after = await afterEvents(
      sent(1, 'a'),
      sent(1, 'a'),
      ...there,
      sent(1, 'b'),
      moved(4, place(1, 'b'), place(1, 'c')),
    );
    const all = after.messages as unknown as { _id: number; journey: string }[];
    const journeys = after.journeys as unknown as MoveHistoryDocument[];
    const told = (journey: string | undefined): number[] => {
      const found = journeys.find(({ _id }) => _id === journey);
      return found ? [...told(found.before), ...found.moves.map(({ position }) => position)] : [];
    };
    const positions = there.map((_, n) => n + 3);
    expect(told(all[0]?.journey)).toEqual([...positions, 153]);
    expect(told(all[2]?.journey)).toEqual([153]);
    expect(Math.max(...journeys.map(({ moves }) => moves.length))).toBe(64);
    expect(Math.max(...all.map((message) => JSON.stringify(message).length))).toBeLessThan(400);
  });

  it('decides the place that is kept of a deleted message', async () => {
    const { deleted: gone } = await afterEvents(...two, moved(3, place(1, 'a'), place(2, 'c')), deleted(3));
    expect(gone).toMatchObject([{ _id: 3, channelId: 2, topic: 'c', arrivedPosition: 5, firstChannelId: 1 }]);
  });
});

describe('topics', () => {
  const four = [sent(1, 'a'), sent(1, 'b'), sent(1, 'A'), sent(1, 'a')];
  const topicsAfter = async (...more: InHistory[]) =>
    ((await afterEvents(...four, ...more)).topics ?? []).map((topic) => {
      const { _id, name, firstPosition, lastMessageId } = topic as never as Record<string, unknown>;
      return [_id, name, firstPosition, lastMessageId];
    });
  const B = ['1/b', 'b', 2, 2];

  it.each<[string, InHistory[], unknown[][]]>([
    ['are removed when their last message is deleted', [deleted(2)], [['1/a', 'a', 1, 4]]],
    ['name another newest message when the newest is deleted', [deleted(4)], [['1/a', 'a', 1, 3], B]],
    ['take the spelling of the next message when the oldest is deleted', [deleted(1)], [['1/a', 'A', 3, 4], B]],
    ['do not change when a message in the middle is deleted', [deleted(3)], [['1/a', 'a', 1, 4], B]],
    ['are renamed when all messages move', [moved(1, place(1, 'a'), place(1, 'c'))], [B, ['1/c', 'c', 1, 4]]],
    [
      'merge when all messages move to an existing topic',
      [moved(1, place(1, 'a'), place(1, 'b'))],
      [['1/b', 'b', 1, 4]],
    ],
    ['take the new spelling of a move', [moved(1, place(1, 'a'), place(1, 'A'))], [['1/a', 'A', 1, 4], B]],
    [
      'are split when a part of the messages moves',
      [moved(3, place(1, 'a'), place(1, 'c'), { propagateMode: 'change_later' })],
      [['1/a', 'a', 1, 1], B, ['1/c', 'c', 3, 4]],
    ],
    [
      'name another newest message when the newest moves',
      [moved(4, place(1, 'a'), place(1, 'B'), { propagateMode: 'change_one' })],
      [
        ['1/a', 'a', 1, 3],
        ['1/b', 'b', 2, 4],
      ],
    ],
    [
      'begin anew when a message is sent under the name before a move',
      [moved(1, place(1, 'a'), place(1, 'c')), sent(1, 'A')],
      [['1/a', 'A', 6, 5], B, ['1/c', 'c', 1, 4]],
    ],
  ])('%s', async (_, more, expected) => {
    expect(await topicsAfter(...more)).toEqual(expected);
  });
});
