import { describe, expect, it } from '@jest/globals';
import { Query } from 'mingo';
import { parseNarrow } from '../../../src/features/narrow/domain/narrow.js';
import { isInNarrow, type NarrowedMessage, narrowFilter } from '../../../src/features/narrow/domain/narrow-match.js';
import {
  type Narrow,
  type NarrowFacts,
  resolveNarrow,
  unreadIn,
} from '../../../src/features/narrow/domain/narrow-resolve.js';
import { DomainError } from '../../../src/platform/kernel/deciding.js';

const READER = 7;

/** Channels 1 `general` and 2 `Ideas`; users 7 (the reader), 8 and 9. */
const facts: NarrowFacts = {
  readerId: READER,
  languages: ['en'],
  channelId: (named) =>
    typeof named === 'number' ? [1, 2].find((id) => id === named) : { general: 1, ideas: 2 }[named.toLowerCase()],
  userId: (named) =>
    typeof named === 'number'
      ? [7, 8, 9].find((id) => id === named)
      : { 'seven@x.org': 7, 'eight@x.org': 8, 'nine@x.org': 9 }[named.toLowerCase()],
  channelsOf: (kind) => (kind === 'public' ? [1] : undefined),
};

const narrow = (value: unknown): Narrow => resolveNarrow(parseNarrow(value), facts);

const refusal = (value: unknown): Record<string, unknown> => {
  try {
    narrow(value);
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, ...error.data };
    throw error;
  }
  throw new Error('nothing was refused');
};

const inChannel = (_id: number, channelId: number, topicKey: string, senderId: number): NarrowedMessage => ({
  _id,
  senderId,
  type: 'channel',
  channelId,
  topicKey,
  topic: topicKey,
  rendered: `<p>Text of message ${_id}</p>`,
  ...(_id === 2 && { has: ['link', 'reaction'] }),
});
const direct = (_id: number, dmKey: string, senderId: number): NarrowedMessage & { participants: number[] } => ({
  _id,
  senderId,
  type: 'direct',
  dmKey,
  participants: dmKey.split(',').map(Number),
  rendered: `<p>Text of message ${_id}</p>`,
  ...(_id === 8 && { has: ['image'] }),
});

const everything: readonly NarrowedMessage[] = [
  inChannel(1, 1, 'lunch', 7),
  inChannel(2, 1, 'lunch', 8),
  inChannel(3, 1, '', 8),
  inChannel(4, 2, 'lunch', 9),
  inChannel(5, 2, '✔ straße', 7),
  direct(6, '7', 7),
  direct(7, '7,8', 7),
  direct(8, '7,8', 8),
  direct(9, '7,8,9', 9),
];

const byPredicate = (asked: Narrow): number[] =>
  everything.filter((message) => isInNarrow(asked, message, () => false)).map(({ _id }) => _id);

const byFilter = (asked: Narrow): number[] => {
  const filter = narrowFilter(asked);
  if (!filter) return [];
  const query = new Query(filter);
  return everything.filter((message) => query.test({ ...message })).map(({ _id }) => _id);
};

const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated });

describe('A narrow selects', () => {
  it.each<[unknown[], number[]]>([
    [[], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [[['channel', 'general']], [1, 2, 3]],
    [[['stream', 'GENERAL']], [1, 2, 3]],
    [[term('channel', 2)], [4, 5]],
    [[term('stream', 'Ideas')], [4, 5]],
    [[['topic', 'Lunch']], [1, 2, 4]],
    [[term('topic', 'STRASSE')], []],
    [[term('topic', '✔ Straße')], [5]],
    [[term('topic', '')], [3]],
    [[term('topic', 'general chat')], [3]],
    [
      [
        ['channel', 'general'],
        ['topic', 'lunch'],
      ],
      [1, 2],
    ],
    [[['dm', 'eight@x.org']], [7, 8]],
    [[['pm-with', 'Eight@x.org,nine@x.org']], [9]],
    [[['pm-with', 'eight@x.org, nine@x.org']], [9]],
    [[term('dm', [8])], [7, 8]],
    [[term('dm', [8, 7])], [7, 8]],
    [[term('dm', [9, 8, 8])], [9]],
    [[term('dm', [7])], [6]],
    [[term('dm', [9])], []],
    [[['sender', 'eight@x.org']], [2, 3, 8]],
    [[term('sender', 9)], [4, 9]],
    [[['id', '4']], [4]],
    [[term('id', 4)], [4]],
    [[term('id', 99)], []],
    [[['is', 'dm']], [6, 7, 8, 9]],
    [
      [
        ['is', 'private'],
        ['sender', 'nine@x.org'],
      ],
      [9],
    ],
    [[term('is', 'dm', true)], [1, 2, 3, 4, 5]],
    [[term('channel', 'general', true)], [4, 5, 6, 7, 8, 9]],
    [[term('topic', 'lunch', true)], [3, 5, 6, 7, 8, 9]],
    [
      [term('dm', [8], true), ['is', 'dm']],
      [6, 9],
    ],
    [
      [term('sender', 7, true), term('channel', 1)],
      [2, 3],
    ],
    [[term('id', 4, true), term('channel', 2)], [5]],
    [
      [term('channel', 1), term('dm', [8], true)],
      [1, 2, 3],
    ],
    [[term('channel', 1), term('channel', 2)], []],
    [
      [term('channel', 1), term('channel', 'general')],
      [1, 2, 3],
    ],
    [[term('sender', 7), term('sender', 7, true)], []],
    [[['sender', 'me']], [1, 5, 6, 7]],
    [[['channels', 'public']], [1, 2, 3]],
    [[term('streams', 'public', true)], [4, 5, 6, 7, 8, 9]],
    [[term('channels', 'public'), term('channel', 2)], []],
    [
      [term('channels', 'public'), term('channel', 1)],
      [1, 2, 3],
    ],
    [[['is', 'resolved']], [5]],
    [[term('is', 'resolved', true), term('channel', 2)], [4]],
    [[term('is', 'resolved'), term('topic', 'lunch')], []],
    [[term('is', 'resolved'), term('topic', '✔ straße')], [5]],
    [[['dm-including', 'eight@x.org']], [7, 8, 9]],
    [[term('dm-including', 9)], [9]],
    [[term('dm-including', [8, 9])], [9]],
    [[term('dm-including', 7)], [6, 7, 8, 9]],
    [[term('dm-including', 8, true), term('is', 'dm')], [6]],
    [[['group-pm-with', 'eight@x.org']], [9]],
    [[['pm_with', 'eight@x.org']], [7, 8]],
    [[term('pm_with', [8])], [7, 8]],
    [[['group_pm_with', 'eight@x.org']], [9]],
    [[['from', 'me']], [1, 5, 6, 7]],
    [
      [term('from', 7, true), term('channel', 1)],
      [2, 3],
    ],
    [
      [['in', 'all'], term('channel', 2)],
      [4, 5],
    ],
    [[['has', 'link']], [2]],
    [[['has', 'reaction']], [2]],
    [[term('has', 'image', true), term('dm', [8])], [7]],
    [[['has', 'attachment']], []],
    [[term('has', 'link'), term('has', 'reaction')], [2]],
    [[term('has', 'link'), term('has', 'image')], []],
    [
      [['near', '4'], term('channel', 2)],
      [4, 5],
    ],
    [
      [term('near', 4, true), term('channel', 2)],
      [4, 5],
    ],
  ])('%j', (terms, ids) => {
    expect(byPredicate(narrow(terms))).toEqual(ids);
    expect(byFilter(narrow(terms))).toEqual(ids);
  });
});

describe('A narrow is refused if it', () => {
  it.each<[string, unknown, string]>([
    ['has an unknown operator', [['shape', 'round']], 'unknown operator shape'],
    ['has an operator from the prototype', [['constructor', 'x']], 'unknown operator constructor'],
    ['asks for an unknown kind of channels', [['channels', 'secret']], 'unknown channels operand secret'],
    ['asks for an unknown kind of content', [['has', 'cake']], "unknown 'has' operand cake"],
    ['includes an unknown user', [['dm-including', 'nobody@x.org']], 'unknown user in nobody@x.org'],
    ['includes an unknown user by id', [term('group-pm-with', 99)], 'unknown user in 99'],
    [
      'combines resolved topics and direct messages',
      [
        ['is', 'resolved'],
        ['dm-including', 'eight@x.org'],
      ],
      'No message can be both a channel message and direct message',
    ],
    [
      'combines public channels and direct messages',
      [
        ['channels', 'public'],
        ['is', 'dm'],
      ],
      'No message can be both a channel message and direct message',
    ],
    ['names an unknown channel', [['channel', 'nowhere']], 'unknown channel nowhere'],
    ['names an unknown channel id', [term('channel', 99)], 'unknown channel 99'],
    ['excludes an unknown channel', [term('stream', 'nowhere', true)], 'unknown channel nowhere'],
    ['names an unknown sender', [['sender', 'nobody@x.org']], 'unknown user nobody@x.org'],
    ['names an unknown sender id', [term('sender', 0)], 'unknown user 0'],
    ['names one unknown user of two', [['dm', 'eight@x.org,nobody@x.org']], 'unknown user in eight@x.org,nobody@x.org'],
    ['names one unknown id of two', [term('dm', [8, 99])], 'unknown user in [8, 99]'],
    ['names nobody', [term('dm', [])], 'unknown user in []'],
    ['names nobody by address', [['pm-with', '']], 'unknown user in '],
    ['has an id that is not a number', [['id', '4x']], 'Invalid message ID'],
    ['has a negative id', [term('id', -4)], 'Invalid message ID'],
    ['has an id beyond all ids', [['id', '99999999999999999999']], 'Invalid message ID'],
    ['asks for an unknown state', [['is', 'purple']], "unknown 'is' operand purple"],
    [
      'combines channels and direct messages',
      [term('channel', 1), term('dm', [8])],
      'No message can be both a channel message and direct message',
    ],
    [
      'asks for the topic of direct messages',
      [
        ['is', 'dm'],
        ['topic', 'lunch'],
      ],
      'No message can be both a channel message and direct message',
    ],
  ])('%s', (_, value, desc) => {
    expect(refusal(value)).toEqual({ code: 'BAD_NARROW', desc });
  });

  it.each<[string, unknown, string]>([
    ['is not a list', { operator: 'id', operand: 1 }, 'narrow is not a list'],
    ['has a bare word', ['channel'], 'narrow[0] is neither an object nor a list'],
    ['has null', [['id', '1'], null], 'narrow[1] is neither an object nor a list'],
    ['has three strings in a pair', [['channel', 'a', 'b']], 'narrow[0] is not a pair of strings'],
    ['has a number in a pair', [['channel', 1]], 'narrow[0] is not a pair of strings'],
    ['has no operator', [{ operand: 'x' }], 'narrow[0]["operator"] is not a string'],
    ['has no operand', [{ operator: 'topic' }], 'narrow[0]["operand"] is not a string'],
    [
      'has null for an operand',
      [{ operator: 'sender', operand: null }],
      'narrow[0]["operand"] is not a string or integer',
    ],
    ['has a number for a topic', [term('topic', 3)], 'narrow[0]["operand"] is not a string'],
    ['has a list for a channel', [term('channel', [1])], 'narrow[0]["operand"] is not a string or integer'],
    ['has a fraction for a sender', [term('sender', 1.5)], 'narrow[0]["operand"] is not a string or integer'],
    ['has a bare id for dm', [term('dm', 8)], 'narrow[0]["operand"] is not a string or an integer list'],
    ['has addresses in a list', [term('dm', ['a@x'])], 'narrow[0]["operand"] is not a string or an integer list'],
    [
      'has a fraction for dm-including',
      [term('dm-including', 1.5)],
      'narrow[0]["operand"] is not a string, an integer or an integer list',
    ],
    ['has a blank search', [term('search', ' ')], 'narrow[0]["operand"] cannot be blank'],
    ['has a blank search in a pair', [['search', '']], 'narrow[0][1] cannot be blank'],
    ['has a number for has', [term('has', 1)], 'narrow[0]["operand"] is not a string'],
    ['has a string for negated', [{ ...term('id', 1), negated: 'yes' }], 'narrow[0]["negated"] is not a boolean'],
  ])('%s', (_, value, description) => {
    expect(refusal(value)).toEqual({ code: 'INVALID_PARAMETER', description });
  });
});

describe('A narrow by flags of the reader', () => {
  const unread = new Set([1, 6]);
  const starred = new Set([6, 7]);
  const listed = (asked: Narrow): number[] =>
    everything
      .filter((message) => isInNarrow(asked, message, (as) => (as === 'unread' ? unread : starred).has(message._id)))
      .map(({ _id }) => _id);
  const is = (kind: 'unread' | 'starred') => ({ kind }) as const;

  it.each<[Narrow, number[]]>([
    [{ required: [is('unread')], excluded: [] }, [1, 6]],
    [{ required: [is('starred')], excluded: [is('unread')] }, [7]],
    [{ required: [{ kind: 'direct' }], excluded: [is('starred')] }, [8, 9]],
    [unreadIn({ required: [{ kind: 'direct' }], excluded: [] }), [6]],
  ])('%j', (asked, ids) => {
    expect(listed(asked)).toEqual(ids);
  });

  it('is no filter on message documents, which are the same for all readers', () => {
    expect(narrowFilter({ required: [is('unread')], excluded: [is('starred')] })).toEqual({});
  });

  it('has at most 200 words in searches', () => {
    const words = (count: number, word = 'tea') => Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ');
    const search = (operand: string, negated = false) => ({ operator: 'search', operand, negated });
    expect(narrow([search(words(199)), search('tea', true)]).required).toHaveLength(1);
    const refused = { code: 'INVALID_PARAMETER', description: 'narrow searches for more than 200 words' };
    for (const terms of [
      [search(words(201))],
      [search(words(101)), search(words(100), true)],
      [search(`"${words(201)}"`)],
      [search('茶'.repeat(201))],
      [search('a'.repeat(20_001))],
    ])
      expect(refusal(terms)).toEqual(refused);
  });
});
