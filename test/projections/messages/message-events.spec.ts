import { describe, expect, it } from '@jest/globals';
import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { messages } from '../../../projections/messages/messages.projection.js';
import type { Mentions, Recipient } from '../../../src/events/messages/messages.events.js';
import { NO_CONTENT_FACTS } from '../../../src/features/markdown/content-facts.js';
import { contentOf } from '../../../src/features/messages/domain/message-content.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { sha256Of } from '../../../src/platform/kernel/sha256.js';
import { channelData } from '../../support/events/events.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const IN_CHANNEL: Recipient = { type: 'channel', channelId: 5, topic: 'lunch' };
const DIRECT: Recipient = { type: 'direct', userIds: [3, 4] };

const sent = (place: Recipient = IN_CHANNEL): InHistory => [
  'messages',
  {
    type: 'MessageSent',
    data: {
      senderId: 3,
      recipient: place,
      readBySender: true,
      localEcho: null,
      sendKey: null,
      content: contentOf('one', NO_CONTENT_FACTS),
    },
  },
  { actorId: 3 },
];
const edited = (text: string, contentRevision: number): InHistory => [
  'message-1',
  {
    type: 'MessageEdited',
    data: {
      messageId: 1,
      place: IN_CHANNEL,
      previousContentRevision: contentRevision - 1,
      contentRevision,
      content: { ...contentOf(text, NO_CONTENT_FACTS), previousSha256: sha256Of('?') },
    },
  },
  { actorId: 3 },
];
const deleted = (messageId = 1, place: Recipient = IN_CHANNEL): InHistory => [
  `message-${messageId}`,
  { type: 'MessageDeleted', data: { messageId, senderId: 3, place, keyId: 'key' } },
  { actorId: 1 },
];
const reaction = (type: 'ReactionAdded' | 'ReactionRemoved', userId: number, emojiCode: string): InHistory => [
  'message-1',
  {
    type,
    data: {
      messageId: 1,
      place: IN_CHANNEL,
      userId,
      emojiName: `e${emojiCode}`,
      emojiCode,
      reactionType: 'unicode_emoji',
    },
  },
];

/** The events as the log reads them after their key is gone. */
const withoutWords = (events: readonly Recorded[]): Recorded[] =>
  events.map((event) => ('content' in event.data ? { ...event, data: { ...event.data, content: null } } : event));

describe('the messages projection', () => {
  const documentsOf = async (...entries: InHistory[]) => (await projected(messages, history(...entries))).messages;

  it('has the present content of a message, and the earlier ones with who replaced them', async () => {
    expect(await documentsOf(sent(), edited('two', 1), edited('*three*', 2))).toMatchObject([
      {
        _id: 1,
        sentPosition: 1,
        position: 3,
        text: '*three*',
        rendered: '<p><em>three</em></p>',
        pastWords: [
          { editorId: 3, editedAt: 1_700_000_002_000, text: 'one', rendered: '<p>one</p>' },
          { editorId: 3, editedAt: 1_700_000_003_000, text: 'two', rendered: '<p>two</p>' },
        ],
      },
    ]);
  });

  it('has the present mentions of a message, under the names that searches use, and all earlier ones', async () => {
    const called = (mentions?: Mentions) => ({ ...contentOf('@', NO_CONTENT_FACTS), ...(mentions && { mentions }) });
    const said = (place: Recipient, mentions?: Mentions): InHistory => {
      const [stream, event, by] = sent(place);
      return [stream, { ...event, data: { ...event.data, content: called(mentions) } }, by];
    };
    const changed = (contentRevision: number, mentions?: Mentions): InHistory => {
      const [stream, event, by] = edited('', contentRevision);
      return [stream, { ...event, data: { ...event.data, content: { ...called(mentions), previousSha256: '' } } }, by];
    };
    const everybody: Mentions = { wildcards: ['stream', 'topic'], participantIds: [3, 9] };
    expect(
      await documentsOf(said(IN_CHANNEL, { userIds: [4], groupIds: [20] }), said(DIRECT, everybody)),
    ).toMatchObject([
      { mentions: { userIds: [4], groupIds: [20] }, callees: ['u4', 'g20'] },
      { mentions: everybody, callees: ['p3', 'p4', 'p3', 'p9'] },
    ]);
    const [now] = (await documentsOf(said(IN_CHANNEL, { userIds: [4] }), changed(1, everybody))) ?? [];
    expect(now).toMatchObject({
      mentions: everybody,
      callees: ['c5', 'c', 'p3', 'p9'],
      wordsPosition: 2,
      pastWords: [{ mentions: { userIds: [4] } }],
    });
    const [none] = (await documentsOf(said(IN_CHANNEL, { userIds: [4] }), changed(1))) ?? [];
    expect(none).not.toHaveProperty('mentions');
    expect(none).not.toHaveProperty('callees');
  });

  it('has the reactions in the order in which they were added, and no list if all are removed', async () => {
    const added = [reaction('ReactionAdded', 4, '1f44d'), reaction('ReactionAdded', 3, '1f44d')] as const;
    const of = (userId: number) => ({ userId, emojiName: 'e1f44d', emojiCode: '1f44d', reactionType: 'unicode_emoji' });
    expect(await documentsOf(sent(), ...added)).toMatchObject([{ reactions: [of(4), of(3)] }]);
    const left = reaction('ReactionRemoved', 4, '1f44d');
    expect(await documentsOf(sent(), ...added, left)).toMatchObject([{ reactions: [of(3)] }]);
    const [bare] = (await documentsOf(sent(), ...added, left, reaction('ReactionRemoved', 3, '1f44d'))) ?? [];
    expect(bare).not.toHaveProperty('reactions');
  });

  it('keeps nothing of a deleted message except its place', async () => {
    const { messages: left, deleted: gone } = await projected(
      messages,
      history(
        sent(),
        edited('two', 1),
        reaction('ReactionAdded', 4, '1f44d'),
        deleted(),
        sent(DIRECT),
        deleted(2, DIRECT),
      ),
    );
    expect(left).toEqual([]);
    expect(gone).toEqual([
      { _id: 1, sentPosition: 1, position: 4, senderId: 3, channelId: 5, topic: 'lunch' },
      { _id: 2, sentPosition: 5, position: 6, senderId: 3, participants: [3, 4] },
    ]);
  });

  it('makes the same documents whether or not the key of a deleted message still exists', async () => {
    const events = history(sent(), edited('two', 1), deleted());
    expect(await projected(messages, withoutWords(events))).toEqual(await projected(messages, events));
  });

  it('has no content if the key is gone before the deletion is applied', async () => {
    const { messages: documents } = await projected(messages, withoutWords(history(sent(), edited('two', 1))));
    expect(documents).toMatchObject([{ text: null, rendered: null, pastWords: [{ text: null, rendered: null }] }]);
  });
});

describe('client events of a message', () => {
  const created = (changes: object = {}): InHistory => [
    'channels',
    { type: 'ChannelCreated', data: channelData(5, changes) },
  ];
  const told = async (...entries: InHistory[]) =>
    ((await projected(clientEvents, history(...entries))).events as ClientEventDocument[]).filter(({ kind }) =>
      ['update_message', 'delete_message', 'reaction/add', 'reaction/remove'].includes(kind),
    );
  const place = { ...IN_CHANNEL, isPublic: true, isHistoryOpen: true };

  it('name the message and its revision after an edit, and hold no content', async () => {
    const events = await told(created(), sent(), edited('secret', 1));
    expect(events).toMatchObject([
      {
        kind: 'update_message',
        part: 'messages',
        audience: { everSubscribedTo: [5] },
        payload: { messageId: 1, editorId: 3, contentRevision: 1, place },
      },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/secret|one/);
  });

  it('are sent for reactions and for the deletion', async () => {
    const added = reaction('ReactionAdded', 4, '1f44d');
    const removed = reaction('ReactionRemoved', 4, '1f44d');
    expect(await told(created(), sent(), added, removed, deleted())).toMatchObject([
      { kind: 'reaction/add', payload: { messageId: 1, userId: 4, emojiCode: '1f44d', place } },
      { kind: 'reaction/remove', payload: { messageId: 1, userId: 4, emojiCode: '1f44d', place } },
      { kind: 'delete_message', payload: { messageId: 1, place } },
    ]);
  });

  it('go to the subscribers of a private channel, and to the participants of a conversation', async () => {
    const secret = created({ inviteOnly: true, historyPublicToSubscribers: false });
    expect(await told(secret, sent(), deleted())).toMatchObject([
      { audience: { subscribersOf: 5 }, payload: { place: { isPublic: false, isHistoryOpen: false } } },
    ]);
    expect(await told(sent(DIRECT), deleted(1, DIRECT))).toMatchObject([
      { audience: { userIds: [3, 4] }, payload: { place: DIRECT } },
    ]);
  });
});
