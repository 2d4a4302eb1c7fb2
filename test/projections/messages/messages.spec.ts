import { describe, expect, it } from '@jest/globals';
import { messages } from '../../../projections/messages/messages.projection.js';
import { sends } from '../../../projections/sends/sends.projection.js';
import type { MessageSent } from '../../../src/events/messages/messages.events.js';
import { dmKeyOf } from '../../../src/features/narrow/domain/narrow.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const sent = (data: Partial<MessageSent['data']> = {}): InHistory => [
  'messages',
  {
    type: 'MessageSent',
    data: {
      senderId: 3,
      recipient: { type: 'channel', channelId: 5, topic: 'Lunch É' },
      readBySender: true,
      localEcho: null,
      sendKey: null,
      content: { text: '*hi*', rendered: '<p><em>hi</em></p>', rendererVersion: 1 },
      ...data,
    },
  },
  { client: 'website', actorId: 3 },
];

const elsewhere: InHistory = ['users', { type: 'UserDeactivated', data: { userId: 9 } }];

describe('the messages projection', () => {
  it('keeps a channel message under its id, with the keys that it is looked up by', async () => {
    const documents = await projected(messages, history(elsewhere, sent()));
    expect(documents.messages).toEqual([
      {
        _id: 1,
        sentPosition: 2,
        position: 2,
        senderId: 3,
        sentAt: 1_700_000_002_000,
        client: 'website',
        readBySender: true,
        text: '*hi*',
        rendered: '<p><em>hi</em></p>',
        type: 'channel',
        channelId: 5,
        topic: 'Lunch É',
        topicKey: 'lunch é',
      },
    ]);
  });

  it('keeps a direct message with its conversation', async () => {
    const recipient = { type: 'direct', userIds: [3, 20, 100] } as const;
    const { messages: documents } = await projected(
      messages,
      history(sent(), sent({ recipient, readBySender: false })),
    );
    expect(documents?.[1]).toEqual({
      _id: 2,
      sentPosition: 2,
      position: 2,
      senderId: 3,
      sentAt: 1_700_000_002_000,
      client: 'website',
      readBySender: false,
      text: '*hi*',
      rendered: '<p><em>hi</em></p>',
      type: 'direct',
      dmKey: dmKeyOf([100, 3, 20]),
      participants: [3, 20, 100],
    });
  });

  it('keeps a message whose key is gone without its content', async () => {
    const { messages: documents } = await projected(messages, history(sent({ content: null })));
    expect(documents).toMatchObject([{ _id: 1, text: null, rendered: null, channelId: 5 }]);
  });

  it('numbers messages by their place in the stream, not in the log', async () => {
    const { messages: documents } = await projected(messages, history(sent(), elsewhere, elsewhere, sent()));
    expect(documents).toMatchObject([
      { _id: 1, sentPosition: 1 },
      { _id: 2, sentPosition: 4 },
    ]);
  });
});

describe('the sends projection', () => {
  const keyed = (id: string, kind: 'idempotency-key' | 'local-id', digest: string): InHistory =>
    sent({ sendKey: { id, kind, digest } });

  it('keeps no document of a send without a key', async () => {
    expect(await projected(sends, history(sent(), elsewhere))).toEqual({ sends: [] });
  });

  it('keeps every message that was sent under a key, by the id of its event', async () => {
    const events = history(
      keyed('key-b', 'idempotency-key', 'd1'),
      sent(),
      keyed('key-a', 'local-id', 'd2'),
      keyed('key-a', 'local-id', 'd3'),
    );
    const [first, , second, third] = events.map((event) => event.id);
    const documents = [
      { _id: first, messageId: 1, digest: 'd1', position: 1 },
      { _id: second, messageId: 3, digest: 'd2', position: 3 },
      { _id: third, messageId: 4, digest: 'd3', position: 4 },
    ];
    expect((await projected(sends, events)).sends).toEqual(expect.arrayContaining(documents));
    expect((await projected(sends, events)).sends).toHaveLength(3);
  });

  it('keeps the same documents after the content is gone', async () => {
    const sendKey = { id: 'key', kind: 'local-id', digest: 'd' } as const;
    const [before, after] = [history(sent({ sendKey })), history(sent({ sendKey, content: null }))];
    expect(await projected(sends, after)).toEqual(await projected(sends, before));
  });
});
