import { describe, expect, it } from '@jest/globals';
import { messages } from '../../../projections/messages/messages.projection.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const sent = (
  recipient: object,
  content: object | null = { text: 'x', rendered: 'x', rendererVersion: 1 },
): InHistory => [
  'messages',
  {
    type: 'MessageSent',
    data: { senderId: 1, recipient, readBySender: true, localEcho: null, sendKey: null, content },
  },
];

const post = (channelId: number, topic: string, content?: object | null) =>
  sent({ type: 'channel', channelId, topic }, content);

describe('the topics of the messages projection', () => {
  it('have the spelling of their first message, and name their newest message', async () => {
    const documents = await projected(
      messages,
      history(post(4, 'Lunch É'), post(4, 'other'), post(4, 'lunch e\u0301'), post(5, 'lunch é')),
    );
    expect(documents.topics).toEqual([
      {
        _id: '4/lunch é',
        channelId: 4,
        topicKey: 'lunch é',
        name: 'Lunch É',
        firstPosition: 1,
        lastMessageId: 3,
        lastPosition: 3,
        position: 3,
      },
      {
        _id: '4/other',
        channelId: 4,
        topicKey: 'other',
        name: 'other',
        firstPosition: 2,
        lastMessageId: 2,
        lastPosition: 2,
        position: 2,
      },
      {
        _id: '5/lunch é',
        channelId: 5,
        topicKey: 'lunch é',
        name: 'lunch é',
        firstPosition: 4,
        lastMessageId: 4,
        lastPosition: 4,
        position: 4,
      },
    ]);
  });

  it('include the empty topic, and none for direct messages', async () => {
    const documents = await projected(messages, history(post(4, ''), sent({ type: 'direct', userIds: [1, 2] })));
    expect(documents.topics).toMatchObject([{ _id: '4/', name: '', lastMessageId: 1 }]);
  });

  it('are the same after the content of a message is gone', async () => {
    const [before, after] = [history(post(4, 'a')), history(post(4, 'a', null))];
    expect((await projected(messages, after)).topics).toEqual((await projected(messages, before)).topics);
  });
});
