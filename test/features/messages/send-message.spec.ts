import { describe, expect, it } from '@jest/globals';
import { NO_CONTENT_FACTS } from '../../../src/features/markdown/content-facts.js';
import { eventIdOf, sendKeyOf } from '../../../src/features/messages/domain/send-key.js';
import {
  type Addressee,
  decideWriting,
  messageSentBy,
  SendMessage,
  type SendMessageFacts,
  triggerOf,
  type WritingFacts,
} from '../../../src/features/messages/domain/send-message.js';
import { outcomeOf } from '../../support/events/given.js';

type Facts = WritingFacts & Pick<SendMessageFacts, 'autoTopic' | 'mentioned'>;

const by = { actorId: 7, client: 'ZulipPython', correlationId: 'c' };
const toTopic = (topic: string | null, channel: string | number = 'general'): Addressee => ({
  type: 'channel',
  channel,
  topic,
});
const send = (to: Addressee, changes: Partial<SendMessage['message']> = {}, client = by.client) =>
  new SendMessage({
    message: { to, content: 'hello', readBySender: null, localEcho: null, idempotencyKey: null, ...changes },
    senderId: 7,
    by: {
      ...by,
      client,
    },
  });
const channel: NonNullable<WritingFacts['channel']> = {
  id: 3,
  isArchived: false,
  mayPost: true,
  topicsPolicy: 'allow_empty_topic',
  existingTopic: null,
};
const person = { isBot: false, mayUseDirectMessages: true };
const open: Facts = {
  now: 1000,
  channel,
  users: [],
  direct: { sender: person, isDisabled: false, maySendFirst: true },
  content: NO_CONTENT_FACTS,
  autoTopic: null,
  mentioned: [],
};
const user = (id: number, isActive = true) => ({ ...person, id, email: `u${id}@example.com`, isActive });
const among = (...users: Facts['users']): Facts => ({ ...open, channel: null, users });
const decide = (command: SendMessage, facts: Facts) => {
  const written = decideWriting(command, facts);
  return messageSentBy(command, { ...facts, written, trigger: triggerOf(facts.channel) });
};
const decided = (command: SendMessage, facts: Facts) => decide(command, facts).data;
const refused = (command: SendMessage, facts: Facts = open) => outcomeOf(() => [decide(command, facts)]);

describe('sending to a channel', () => {
  it('stores wildcard mentions in the content, and refuses them without permission', () => {
    const crowd = { subscribers: 16, participantIds: [7], mayMentionMany: false };
    const facts = { ...open, content: { ...NO_CONTENT_FACTS, crowd } };
    const all = send(toTopic('lunch'), { content: '@**all**' });
    refused(all, facts).thenRefuses('STREAM_WILDCARD_MENTION_NOT_ALLOWED');
    const allowed = { ...open, content: { ...NO_CONTENT_FACTS, crowd: { ...crowd, mayMentionMany: true } } };
    expect(decided(all, allowed).content?.mentions).toStrictEqual({ wildcards: ['stream'] });
  });

  it('records the new topic policy of the sender, if there is one', () => {
    const starts = { autoTopicPolicy: { follow: 3, unmute: 4 }, isChannelMuted: false, policy: 0 } as const;
    expect(decided(send(toTopic('new')), { ...open, autoTopic: starts }).senderPolicy).toBe(3);
    const begun = { ...open, channel: { ...channel, existingTopic: 'new' }, autoTopic: starts };
    expect(decided(send(toTopic('new')), begun)).not.toHaveProperty('senderPolicy');
    expect(decided(send(toTopic('new')), open)).not.toHaveProperty('senderPolicy');
  });

  it('records who comes to follow the topic, and which bots get the message only by its mention', () => {
    const person = {
      isActive: true,
      botType: null,
      isSubscribed: true,
      followsWhereMentioned: true,
      topicPolicy: 0,
    } as const;
    const bot = { ...person, botType: 1, isSubscribed: false, followsWhereMentioned: false } as const;
    const mentioned = [
      { ...person, id: 11 },
      { ...person, id: 12, topicPolicy: 2 },
      { ...person, id: 13, topicPolicy: 1 },
      { ...person, id: 14, topicPolicy: 3 },
      { ...person, id: 15, isActive: false },
      { ...person, id: 16, isSubscribed: false },
      { ...person, id: 17, followsWhereMentioned: false },
      { ...bot, id: 21 },
      { ...bot, id: 22, isSubscribed: true },
      { ...bot, id: 23, isActive: false },
      { ...bot, id: 24, botType: 3 },
      { ...bot, id: 7 },
    ] as const;
    const sent = decided(send(toTopic('lunch')), { ...open, mentioned });
    expect(sent).toMatchObject({ newFollowerIds: [11, 12], calledBotIds: [21] });
    expect(decided(send(toTopic('lunch')), open)).not.toHaveProperty('newFollowerIds');
    expect(decided(send(toTopic('lunch')), open)).not.toHaveProperty('calledBotIds');
  });

  it('records channel, topic, text and rendered content', () => {
    expect(decided(send(toTopic(' lunch ')), open)).toMatchObject({
      senderId: 7,
      recipient: { type: 'channel', channelId: 3, topic: 'lunch' },
      content: { text: 'hello', rendered: '<p>hello</p>' },
      sendKey: null,
    });
  });

  it.each(['', '(no topic)', 'general chat'])('reads the topic %j as the empty one', (topic) => {
    expect(decided(send(toTopic(topic)), open).recipient).toStrictEqual({ type: 'channel', channelId: 3, topic: '' });
  });

  it('refuses a missing channel by the name that the caller gave', () => {
    refused(send(toTopic('t', 'nowhere')), { ...open, channel: null }).thenRefuses('STREAM_DOES_NOT_EXIST', {
      stream: 'nowhere',
    });
    refused(send(toTopic('t', 9)), { ...open, channel: null }).thenRefuses('STREAM_DOES_NOT_EXIST', { stream_id: 9 });
  });

  it('needs a channel that is open to the sender, and a topic', () => {
    refused(send(toTopic('t')), { ...open, channel: { ...channel, isArchived: true } }).thenRefuses('CHANNEL_ARCHIVED');
    refused(send(toTopic('t')), { ...open, channel: { ...channel, mayPost: false } }).thenRefuses('NOT_AUTHORIZED');
    refused(send(toTopic(null))).thenRefuses('TOPIC_MISSING');
    refused(send(toTopic('a\nb'))).thenRefuses('TOPIC_INVALID');
  });

  it.each(['', '(no topic)', 'general chat'])('refuses %j if a topic is required', (topic) => {
    const facts: Facts = { ...open, channel: { ...channel, topicsPolicy: 'disable_empty_topic' } };
    refused(send(toTopic(topic)), facts).thenRefuses('TOPIC_REQUIRED');
    expect(decided(send(toTopic('lunch')), facts).recipient).toMatchObject({ topic: 'lunch' });
  });

  it('uses the first spelling of the topic', () => {
    const facts: Facts = { ...open, channel: { ...channel, existingTopic: 'Lunch' } };
    expect(decided(send(toTopic('LUNCH ')), facts).recipient).toMatchObject({ topic: 'Lunch' });
  });

  it('refuses a named topic in a channel without named topics', () => {
    const facts: Facts = { ...open, channel: { ...channel, topicsPolicy: 'empty_topic_only' } };
    refused(send(toTopic('lunch')), facts).thenRefuses('TOPIC_NOT_ALLOWED');
    expect(decided(send(toTopic('general chat')), facts).recipient).toMatchObject({ topic: '' });
  });

  it.each(['', ' \n', '\u0002', ' \u0003\u0007 '])(
    'refuses the text %j, of which nobody would see anything',
    (content) => {
      refused(send(toTopic('t'), { content })).thenRefuses('MESSAGE_EMPTY');
    },
  );

  it('counts length in code points', () => {
    expect(decided(send(toTopic('😀'.repeat(60))), open).recipient).toMatchObject({ topic: '😀'.repeat(60) });
    expect(decided(send(toTopic('t'), { content: '😀'.repeat(10_000) }), open).content?.text).toHaveLength(20_000);
    const { recipient, content } = decided(send(toTopic('😀'.repeat(61)), { content: '😀'.repeat(10_001) }), open);
    expect(recipient).toMatchObject({ topic: `${'😀'.repeat(57)}...` });
    expect(content?.text).toBe(`${'😀'.repeat(9_980)}\n[message truncated]`);
  });
});

describe('sending a direct message', () => {
  const direct = (...users: (string | number)[]): Addressee => ({ type: 'direct', users });

  it('names everyone in the conversation once, including the sender', () => {
    const facts = among(user(9), user(2), user(9), user(7));
    expect(decided(send(direct(9, 'u2@example.com', 9, 7)), facts).recipient).toStrictEqual({
      type: 'direct',
      userIds: [2, 7, 9],
    });
  });

  it('refuses missing recipients, deactivated recipients, and an empty list', () => {
    refused(send(direct(9)), among(null)).thenRefuses('INVALID_USER_ID', { userId: 9 });
    refused(send(direct('x@y')), among(null)).thenRefuses('INVALID_EMAIL', { email: 'x@y' });
    refused(send(direct(9)), among(user(9, false))).thenRefuses('RECIPIENT_DEACTIVATED');
    refused(send(direct()), among()).thenRefuses('RECIPIENT_MISSING');
  });
});

describe('the permission for direct messages', () => {
  const outside = { ...person, mayUseDirectMessages: false };
  const to = (...users: Facts['users']): Addressee => ({
    type: 'direct',
    users: users.map((one) => one?.id ?? 0),
  });
  const sends = (users: Facts['users'], direct: Partial<Facts['direct']> = {}) => {
    const facts = among(...users);
    return refused(send(to(...users)), { ...facts, direct: { ...facts.direct, sender: outside, ...direct } });
  };
  const sent = (...people: number[]) => [
    expect.objectContaining({ data: expect.objectContaining({ recipient: { type: 'direct', userIds: people } }) }),
  ];
  const stranger = { ...user(9), mayUseDirectMessages: false };
  const bot = { ...stranger, id: 10, isBot: true };
  const self = { ...stranger, id: 7 };

  it('is required of one user in the conversation, the sender or another', () => {
    sends([user(2), stranger]).then(sent(2, 7, 9) as never);
    sends([stranger], { sender: person }).then(sent(7, 9) as never);
    sends([stranger, bot]).thenRefuses('CONVERSATION_NOT_AUTHORIZED');
    sends([stranger], { isDisabled: true }).thenRefuses('DIRECT_MESSAGES_DISABLED');
  });

  it('includes a permission to initiate a conversation', () => {
    sends([user(2)], { maySendFirst: false }).thenRefuses('MAY_NOT_BEGIN_CONVERSATION');
    sends([stranger], { maySendFirst: false }).thenRefuses('CONVERSATION_NOT_AUTHORIZED');
  });

  it('is not needed for conversations with bots or oneself', () => {
    const closed = { isDisabled: true, maySendFirst: false };
    sends([bot, self], closed).then(sent(7, 10) as never);
    sends([self], closed).then(sent(7) as never);
    sends([stranger], { ...closed, sender: { ...outside, isBot: true } }).then(sent(7, 9) as never);
  });
});

it('is refused after the time that it must be sent by', () => {
  refused(send(toTopic('t'), { notAfter: open.now - 1 })).thenRefuses('SENT_TOO_LATE');
  expect(decided(send(toTopic('t'), { notAfter: open.now }), open)).not.toHaveProperty('notAfter');
});

describe('the content of a message', () => {
  it.each(['', '  ', '\n\t'])('must not be empty: %j', (content) => {
    refused(send(toTopic('t'), { content })).thenRefuses('MESSAGE_EMPTY');
  });

  it('must not have null bytes', () => {
    refused(send(toTopic('t'), { content: 'a\0b' })).thenRefuses('MESSAGE_HAS_NULL_BYTES');
  });

  it('keeps leading white space', () => {
    expect(decided(send(toTopic('t'), { content: '    code  \n' }), open).content?.text).toBe('    code');
  });
});

describe('readBySender', () => {
  it.each([
    ['website', null, true],
    ['ZulipTerminal', null, true],
    ['ZulipPython', null, false],
    ['ZulipPython', true, true],
    ['website', false, false],
  ])('from the client %s with the parameter %j is %j', (client, readBySender, expected) => {
    expect(decided(send(toTopic('t'), { readBySender }, client), open).readBySender).toBe(expected);
  });
});

describe('the key of a repeated send', () => {
  const localEcho = { queueId: 'q', localId: '1' };
  const keyed = (changes: Partial<SendMessage['message']>) => sendKeyOf(send(toTopic('t'), changes));

  it('is null, or the Idempotency-Key, or else the local id', () => {
    expect(keyed({})).toBeNull();
    expect(keyed({ localEcho })?.kind).toBe('local-id');
    expect(keyed({ localEcho, idempotencyKey: 'k' })?.kind).toBe('idempotency-key');
  });

  it('does not depend on the content, and differs by caller, queue and key', () => {
    expect(keyed({ localEcho })).toEqual(keyed({ localEcho, content: 'other' }));
    expect(keyed({ localEcho })).not.toEqual(keyed({ localEcho: { ...localEcho, queueId: 'p' } }));
    const other = new SendMessage({ message: send(toTopic('t'), { localEcho }).message, senderId: 8, by });
    expect(sendKeyOf(other)).not.toEqual(keyed({ localEcho }));
  });

  it('gives each message with the key an event id of its own', () => {
    const key = keyed({ localEcho });
    if (!key) throw new Error('a send with a local id has a key');
    expect(eventIdOf(key, 0)).toBe(eventIdOf(key, 0));
    expect(eventIdOf(key, 0)).not.toBe(eventIdOf(key, 1));
  });
});
