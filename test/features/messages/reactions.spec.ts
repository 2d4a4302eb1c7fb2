import { describe, expect, it } from '@jest/globals';
import { CustomEmojis } from '../../../src/directory/custom-emoji.js';
import type {
  Emoji,
  MessageEvent,
  ReactionAdded,
  ReactionRemoved,
} from '../../../src/events/messages/message.events.js';
import type { MessageSent } from '../../../src/events/messages/messages.events.js';
import { NO_CONTENT_FACTS } from '../../../src/features/markdown/content-facts.js';
import { emojiNamed, type NamedEmoji } from '../../../src/features/markdown/emoji.js';
import { asSent, messageDecider } from '../../../src/features/messages/domain/message.state.js';
import { contentOf } from '../../../src/features/messages/domain/message-content.js';
import {
  AddReaction,
  decideAddReaction,
  decideRemoveReaction,
  RemoveReaction,
} from '../../../src/features/messages/domain/react.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { given, outcomeOf } from '../../support/events/given.js';
import { history } from '../../support/events/history.js';

const by = { actorId: 4, client: 'test', correlationId: 'c' };
const place = { type: 'direct', userIds: [3, 4] } as const;
const sent: MessageSent = {
  type: 'MessageSent',
  data: {
    senderId: 3,
    recipient: place,
    readBySender: true,
    localEcho: null,
    sendKey: null,
    content: contentOf('words', NO_CONTENT_FACTS),
  },
};
const [origin] = history(['messages', sent]) as Recorded<MessageSent>[];
const having = (...events: MessageEvent[]) =>
  given({ ...messageDecider, initialState: asSent(origin as Recorded<MessageSent>) }, events);

const TADA: Emoji = { emojiName: 'tada', emojiCode: '1f389', reactionType: 'unicode_emoji' };
const added = (emoji: Emoji, userId = 4): ReactionAdded => ({
  type: 'ReactionAdded',
  data: { messageId: 1, place, userId, ...emoji },
});
const removed = (emoji: Emoji, userId = 4): ReactionRemoved => ({
  type: 'ReactionRemoved',
  data: { messageId: 1, place, userId, ...emoji },
});
const named = (name: string, code: string | null = null, type: NamedEmoji['type'] = null) => ({ name, code, type });
const add = (emoji: NamedEmoji & { readonly name: string }) => new AddReaction({ messageId: 1, emoji, userId: 4, by });
const remove = (emoji: NamedEmoji) => new RemoveReaction({ messageId: 1, emoji, userId: 4, by });
const deleted: MessageEvent = {
  type: 'MessageDeleted',
  data: { messageId: 1, senderId: 3, place, keyId: 'k' },
};

const own = (id: number, name: string, isActive = true) => ({
  id,
  name,
  isActive,
  authorId: 3,
  fileId: 'f',
  stillFileId: null,
});
/** Two emoji of the organization, one deactivated. The name of the other is also one of Unicode's. */
const customEmoji = new CustomEmojis([own(6, 'gone', false), own(7, 'tada')]);
const GONE: Emoji = { emojiName: 'gone', emojiCode: '6', reactionType: 'realm_emoji' };
const OWN_TADA: Emoji = { emojiName: 'tada', emojiCode: '7', reactionType: 'realm_emoji' };

describe('naming an emoji', () => {
  it.each([
    ['tada', '1f389'],
    ['octopus', '1f419'],
    ['+1', '1f44d'],
    ['thumbs_up', '1f44d'],
    ['heart', '2764'],
    ['one', '0031-20e3'],
  ])('%s is %s', (name, emojiCode) => {
    expect(emojiNamed(named(name))).toEqual({ emojiName: name, emojiCode, reactionType: 'unicode_emoji' });
  });

  it('uses the code if one is given, for any name', () => {
    expect(emojiNamed(named('smile', '1f642'))).toMatchObject({ emojiName: 'smile', emojiCode: '1f642' });
    expect(emojiNamed(named('working_on_it', '1f6e0', 'unicode_emoji'))).toMatchObject({ emojiCode: '1f6e0' });
  });

  it('accepts the extra emoji zulip', () => {
    const zulip = { emojiName: 'zulip', emojiCode: 'zulip', reactionType: 'zulip_extra_emoji' };
    expect(emojiNamed(named('zulip'))).toEqual(zulip);
    expect(emojiNamed(named('zulip', 'zulip', 'zulip_extra_emoji'))).toEqual(zulip);
  });

  it.each([
    ['its name alone', named('tada'), OWN_TADA],
    ['its name and type', named('tada', null, 'realm_emoji'), OWN_TADA],
    ['its id', named('tada', '7', 'realm_emoji'), OWN_TADA],
  ])('finds an emoji of the organization by %s', (_, emoji, found) => {
    expect(emojiNamed(emoji, customEmoji)).toEqual(found);
  });

  it('finds the emoji of Unicode behind one of the organization by its code', () => {
    expect(emojiNamed(named('tada', '1f389'), customEmoji)).toEqual(TADA);
    expect(emojiNamed(named('tada', null, 'unicode_emoji'), customEmoji)).toEqual(TADA);
  });

  it.each([
    ['that is deactivated', named('gone', '6', 'realm_emoji'), 'EMOJI_DEACTIVATED'],
    ['that is deactivated, by its name', named('gone'), 'EMOJI_UNKNOWN'],
    ['by another name', named('gone', '7', 'realm_emoji'), 'EMOJI_NAME_INVALID'],
    ['by no id', named('tada', '7x', 'realm_emoji'), 'EMOJI_UNKNOWN'],
  ])('refuses an emoji of the organization %s', (_, emoji, code) => {
    outcomeOf(() => [emojiNamed(emoji, customEmoji)] as never).thenRefuses(code);
  });

  it.each([
    ['an unknown name', named('no_such_emoji'), 'EMOJI_UNKNOWN'],
    ['a custom emoji that does not exist', named('tada', null, 'realm_emoji'), 'EMOJI_UNKNOWN'],
    ['a custom emoji with a code', named('own', '7', 'realm_emoji'), 'EMOJI_UNKNOWN'],
    ['an unknown code', named('tada', '1f389f'), 'EMOJI_CODE_INVALID'],
    ['another extra emoji', named('zulip', 'other', 'zulip_extra_emoji'), 'EMOJI_CODE_INVALID'],
    ['an extra emoji by another name', named('tada', 'zulip', 'zulip_extra_emoji'), 'EMOJI_NAME_INVALID'],
    ['an invalid name', named('<b>', '1f389'), 'EMOJI_NAME_INVALID'],
  ])('refuses %s', (_, emoji, code) => {
    outcomeOf(() => [emojiNamed(emoji)] as never).thenRefuses(code);
  });
});

describe('reacting', () => {
  it('appends user, emoji and message', () => {
    having()
      .when(decideAddReaction, add(named('tada')), { place })
      .then([added(TADA)]);
  });

  it('uses the name of the first reaction with that emoji', () => {
    const party = { ...TADA, emojiName: 'party_popper' };
    having(added(party, 3))
      .when(decideAddReaction, add(named('tada', '1f389')), { place })
      .then([added(party)]);
  });

  it('with an emoji that has been deactivated since is joined, and not begun', () => {
    const gone = add(named('gone', '6', 'realm_emoji'));
    having(added(GONE, 3))
      .when(decideAddReaction, gone, { place, customEmoji })
      .then([added(GONE)]);
    having().when(decideAddReaction, gone, { place, customEmoji }).thenRefuses('EMOJI_DEACTIVATED');
    having(added(GONE))
      .when(decideRemoveReaction, remove(named('gone')), { place, customEmoji })
      .then([removed(GONE)]);
  });

  it('is refused twice, and accepted again after it is removed', () => {
    const again = add(named('party_popper'));
    having(added(TADA)).when(decideAddReaction, again, { place }).thenRefuses('REACTION_ALREADY_EXISTS');
    having(added(TADA), removed(TADA))
      .when(decideAddReaction, again, { place })
      .then([added({ ...TADA, emojiName: 'party_popper' })]);
  });

  it.each([
    ['its name', { name: 'tada', code: null, type: null }],
    ['another name', { name: 'party_popper', code: null, type: null }],
    ['its code', { name: null, code: '1f389', type: null }],
    ['name, code and type', { name: 'tada', code: '1f389', type: 'unicode_emoji' }],
  ] as const)('is removed by %s', (_, emoji) => {
    having(added(TADA))
      .when(decideRemoveReaction, remove(emoji), { place })
      .then([removed(TADA)]);
  });

  it('removes no missing reaction, and no reaction of another user', () => {
    const tada = remove(named('tada'));
    having().when(decideRemoveReaction, tada, { place }).thenRefuses('REACTION_DOES_NOT_EXIST');
    having(added(TADA, 3)).when(decideRemoveReaction, tada, { place }).thenRefuses('REACTION_DOES_NOT_EXIST');
    having()
      .when(decideRemoveReaction, remove(named('no_such')), { place })
      .thenRefuses('EMOJI_UNKNOWN');
    const nothing = remove({ name: null, code: null, type: null });
    having().when(decideRemoveReaction, nothing, { place }).thenRefuses('EMOJI_MISSING');
  });

  it('is refused for a deleted message', () => {
    having(deleted)
      .when(decideAddReaction, add(named('tada')), { place })
      .thenRefuses('INVALID_MESSAGE');
    having(added(TADA), deleted)
      .when(decideRemoveReaction, remove(named('tada')), { place })
      .thenRefuses('INVALID_MESSAGE');
  });
});
