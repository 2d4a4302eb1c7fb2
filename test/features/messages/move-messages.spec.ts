import { describe, expect, it } from '@jest/globals';
import { isMoved, type MessagesMoved } from '../../../src/events/messages/topics.events.js';
import {
  decideMoveMessages,
  type MoveExtent,
  type MoveFacts,
  MoveMessages,
  topicsOfChannel,
} from '../../../src/features/messages/domain/move-messages.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 3, client: 'test', correlationId: 'c' };
const NOW = 1_700_000_000_000;
const QUIET = { oldThread: false, newThread: false };
const FROM = { channelId: 5, topic: 'lunch' };

const move = (to: Partial<MoveMessages['to']>, options: Partial<MoveMessages['options']> = {}) =>
  new MoveMessages({
    anchorId: 7,
    to: { topic: null, channelId: null, ...to },
    options: {
      propagateMode: 'change_one',
      notices: QUIET,
      prevContentSha256: null,
      editsContent: false,
      contentRevision: null,
      ...options,
    },
    moverId: 3,
    by,
  });

/** Message 7 is the second of four. */
const extent = (changes: Partial<MoveExtent> = {}): MoveExtent => ({
  reach: null,
  total: 4,
  following: 3,
  hidden: 0,
  allowed: 4,
  firstAllowedId: null,
  ...changes,
});

/** The facts for a caller with all permissions, a minute after the message was sent. */
const facts = (changes: Partial<MoveFacts> = {}): MoveFacts => ({
  now: NOW,
  from: FROM,
  anchorSentAt: NOW - 60_000,
  contentSha256: 'abc',
  destination: { channelId: 6, isArchived: false, mayPost: true },
  topicsPolicy: 'allow_empty_topic',
  existingTopic: null,
  mayMoveOut: true,
  mayMoveWithin: true,
  mayResolve: true,
  isExempt: false,
  limits: { withinChannelSeconds: null, betweenChannelsSeconds: null },
  extent: extent(),
  ...changes,
});

const moved = (to: Partial<MessagesMoved['data']['to']>, more: Partial<MessagesMoved['data']> = {}): MessagesMoved => ({
  type: 'MessagesMoved',
  data: {
    anchorId: 7,
    propagateMode: 'change_one',
    from: FROM,
    to: { ...FROM, ...to },
    reach: null,
    messageCount: 1,
    isWholeTopic: false,
    notices: QUIET,
    ...more,
  },
});

const when = (command: MoveMessages, context: MoveFacts) =>
  given(topicsOfChannel, []).when(decideMoveMessages, command, context);

describe('moving messages', () => {
  it('keeps the channel or topic that the mover does not name', () => {
    when(move({ topic: 'dinner' }), facts()).then([moved({ topic: 'dinner' })]);
    when(move({ channelId: 6 }), facts()).then([moved({ channelId: 6 })]);
    when(move({ channelId: 6, topic: 'dinner' }), facts()).then([moved({ channelId: 6, topic: 'dinner' })]);
  });

  it('uses the first spelling of the topic', () => {
    when(move({ topic: 'DINNER' }), facts({ existingTopic: 'Dinner' })).then([
      moved({ topic: 'Dinner' }, { joinsTopic: true }),
    ]);
  });

  it('counts the messages of the mode that the mover can see', () => {
    const partly = extent({ reach: [[7, null]], total: 3, hidden: 1 });
    const count = (propagateMode: MessagesMoved['data']['propagateMode'], messageCount: number, of = extent()) => {
      const isWholeTopic = messageCount === of.total + of.hidden;
      when(move({ topic: 'x' }, { propagateMode }), facts({ extent: of })).then([
        moved({ topic: 'x' }, { propagateMode, messageCount, isWholeTopic, reach: of.reach }),
      ]);
    };
    count('change_later', 3);
    count('change_all', 4);
    count('change_all', 3, partly);
  });

  it.each<[string, MoveMessages, Partial<MoveFacts>, string]>([
    ['a topic for a direct message', move({ topic: 'x' }), { from: null }, 'DIRECT_HAS_NO_TOPIC'],
    ['a channel for a direct message', move({ channelId: 6 }), { from: null }, 'DIRECT_HAS_NO_CHANNEL'],
    ['content with a channel', move({ channelId: 6 }, { editsContent: true }), {}, 'CONTENT_WITH_CHANNEL'],
    ['a hash of other content', move({ topic: 'x' }, { prevContentSha256: 'abd' }), {}, 'MESSAGE_EDITED_MEANWHILE'],
    ['the same place', move({ topic: ' lunch ', channelId: 5 }), {}, 'NOTHING_TO_EDIT'],
    ['a channel that the mover does not see', move({ channelId: 6 }), { destination: null }, 'INVALID_CHANNEL_ID'],
    [
      'an archived channel',
      move({ channelId: 6 }),
      { destination: { channelId: 6, isArchived: true, mayPost: false } },
      'CHANNEL_ARCHIVED',
    ],
    [
      'a channel where the mover may not post',
      move({ channelId: 6 }),
      { destination: { channelId: 6, isArchived: false, mayPost: false } },
      'NOT_AUTHORIZED',
    ],
    ['another channel without permission', move({ channelId: 6 }), { mayMoveOut: false }, 'MAY_NOT_MOVE_MESSAGE'],
    ['another topic without permission', move({ topic: 'x' }), { mayMoveWithin: false }, 'MAY_NOT_EDIT_MESSAGE'],
    [
      'another topic in another channel without permission',
      move({ topic: 'x', channelId: 6 }),
      { mayMoveWithin: false },
      'MAY_NOT_EDIT_MESSAGE',
    ],
    [
      'the resolved topic without permission',
      move({ topic: '✔ lunch' }, { propagateMode: 'change_all' }),
      { mayResolve: false },
      'MAY_NOT_RESOLVE_TOPIC',
    ],
    [
      'the resolved topic for one message alone, which does not resolve it',
      move({ topic: '✔ lunch' }),
      { mayMoveWithin: false },
      'MAY_NOT_EDIT_MESSAGE',
    ],
    ['a resolved empty topic', move({ topic: '✔ ' }), {}, 'EMPTY_TOPIC_RESOLVED'],
    ['an empty topic', move({ topic: '' }), { topicsPolicy: 'disable_empty_topic' }, 'TOPIC_REQUIRED'],
    [
      'a named topic in a channel without named topics',
      move({ channelId: 6 }),
      { topicsPolicy: 'empty_topic_only' },
      'TOPIC_NOT_ALLOWED',
    ],
  ])('refuses %s', (_, command, changes, code) => {
    when(command, facts(changes)).thenRefuses(code);
  });

  it('needs only the permission to resolve for resolving and unresolving', () => {
    const may = { mayMoveWithin: false };
    const propagateMode = 'change_all';
    const all = { propagateMode, messageCount: 4, isWholeTopic: true } as const;
    when(move({ topic: '✔ lunch' }, { propagateMode }), facts(may)).then([moved({ topic: '✔ lunch' }, all)]);
    const from = { channelId: 5, topic: '✔ lunch' };
    when(move({ topic: 'lunch' }, { propagateMode }), facts({ ...may, from })).then([
      moved({ topic: 'lunch' }, { ...all, from }),
    ]);
  });

  it('resolves a long topic, whoever shortens its name', () => {
    const topic = 'x'.repeat(60);
    const all = { propagateMode: 'change_all' } as const;
    for (const to of [`✔ ${topic}`, `✔ ${'x'.repeat(55)}...`, `✔ ${'x'.repeat(58)}`]) {
      const from = { channelId: 5, topic };
      when(move({ topic: to }, all), facts({ mayMoveWithin: false, mayResolve: false, from })).thenRefuses(
        'MAY_NOT_RESOLVE_TOPIC',
      );
    }
    const other = facts({ mayMoveWithin: false, from: { channelId: 5, topic } });
    when(move({ topic: `✔ ${'x'.repeat(57)}` }, all), other).thenRefuses('MAY_NOT_EDIT_MESSAGE');
  });

  it('does nothing if only the content changes', () => {
    when(move({ topic: 'lunch' }, { editsContent: true }), facts()).thenNothing();
  });
});

describe('the age of moved messages', () => {
  const hour = { withinChannelSeconds: 3600, betweenChannelsSeconds: 7200 };
  const sentAgo = (seconds: number) => ({ anchorSentAt: NOW - seconds * 1000, limits: hour });
  const TOPIC = { topic: 'x' };
  const exceeded = (first: number | null, allowed: number) => ({
    first_message_id_allowed_to_move: first,
    total_messages_allowed_to_move: allowed,
    total_messages_in_topic: 4,
  });

  it('is limited, with twenty seconds of grace, for topics and for channels', () => {
    const none = { extent: extent({ allowed: 0 }) };
    when(move(TOPIC), facts(sentAgo(3620))).then([moved({ topic: 'x' })]);
    when(move(TOPIC), facts({ ...sentAgo(3621), ...none })).thenRefuses('MOVE_TOO_LATE', exceeded(null, 0));
    when(move({ channelId: 6 }), facts(sentAgo(7220))).then([moved({ channelId: 6 })]);
    when(move({ channelId: 6 }), facts({ ...sentAgo(7221), ...none })).thenRefuses('MOVE_TOO_LATE', exceeded(null, 0));
    when(move({ channelId: 6, topic: 'x' }), facts(sentAgo(7000))).thenRefuses('MOVE_TOO_LATE');
  });

  it('is refused with the messages that may be moved instead', () => {
    const partly = { ...sentAgo(4000), extent: extent({ allowed: 2, firstAllowedId: 8 }) };
    when(move(TOPIC, { propagateMode: 'change_later' }), facts(partly)).thenRefuses('MOVE_TOO_LATE', exceeded(8, 2));
    when(move(TOPIC, { propagateMode: 'change_all' }), facts({ ...partly, anchorSentAt: NOW })).thenRefuses(
      'MOVE_TOO_LATE',
      exceeded(8, 2),
    );
    when(move(TOPIC), facts(partly)).thenRefuses('MOVE_TOO_LATE', exceeded(8, 2));
  });

  it('is not limited for administrators and moderators, and for resolving a topic', () => {
    const old = { ...sentAgo(10_000), extent: extent({ allowed: 0 }) };
    when(move(TOPIC), facts({ ...old, isExempt: true })).then([moved({ topic: 'x' })]);
    const all = { propagateMode: 'change_all', messageCount: 4, isWholeTopic: true } as const;
    when(move({ topic: '✔ lunch' }, { propagateMode: 'change_all' }), facts(old)).then([
      moved({ topic: '✔ lunch' }, all),
    ]);
  });
});

describe('the moved messages', () => {
  const { data } = moved({ topic: 'x' });
  const taken = (changes: Partial<MessagesMoved['data']>) =>
    [5, 6, 7, 8, 9].filter((id) => isMoved({ ...data, ...changes }, id));

  it('are those of the propagate mode within the reach of the mover', () => {
    expect(taken({})).toEqual([7]);
    expect(taken({ propagateMode: 'change_later' })).toEqual([7, 8, 9]);
    expect(taken({ propagateMode: 'change_all' })).toEqual([5, 6, 7, 8, 9]);
    const reach = [
      [6, 6],
      [8, null],
    ] as const;
    expect(taken({ propagateMode: 'change_all', reach })).toEqual([6, 8, 9]);
  });
});
