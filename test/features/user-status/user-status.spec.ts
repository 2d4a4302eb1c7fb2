import { describe, expect, it } from '@jest/globals';
import type { Emoji } from '../../../src/events/messages/message.events.js';
import type { StatusField, UserStatusEvent } from '../../../src/events/user-status/user-status.events.js';
import {
  ChangeUserStatus,
  type ChangeUserStatusFacts,
  decideChangeUserStatus,
  type StatusChanges,
  userStatus,
} from '../../../src/features/user-status/domain/user-status.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const car: Emoji = { emojiName: 'car', emojiCode: '1f697', reactionType: 'unicode_emoji' };
const both: readonly StatusField[] = ['text', 'emoji'];

const set = (keyId: string, text: string, told: readonly StatusField[] = ['text']): UserStatusEvent => ({
  type: 'UserStatusTextSet',
  data: { userId: 1, told, keyId, words: { text } },
});
const replaced = (
  previousKeyId: string,
  keyId: string,
  text: string,
  told: readonly StatusField[] = ['text'],
): UserStatusEvent => ({
  type: 'UserStatusTextReplaced',
  data: { userId: 1, told, keyId, previousKeyId, words: { text } },
});
const cleared = (keyId: string, told: readonly StatusField[] = ['text']): UserStatusEvent => ({
  type: 'UserStatusTextCleared',
  data: { userId: 1, told, keyId },
});
const emoji = (from: Emoji | null, to: Emoji | null, told: readonly StatusField[] = ['emoji']): UserStatusEvent => ({
  type: 'UserStatusEmojiChanged',
  data: { userId: 1, told, from, to },
});

const named = (name: string | null, code: string | null = null) => ({ name, code, type: null });

const when = (
  changes: StatusChanges,
  history: readonly UserStatusEvent[] = [],
  facts: Partial<ChangeUserStatusFacts> = {},
) =>
  given(userStatus, history).when(decideChangeUserStatus, new ChangeUserStatus({ userId: 1, changes, by }), {
    mayChange: true,
    user: 'person',
    keyId: 'new',
    ...facts,
  });

describe('changing the text of a status', () => {
  it('sets, replaces and clears it, stripped', () => {
    when({ text: ' At lunch\n' }).then([set('new', 'At lunch')]);
    when({ text: 'Back' }, [set('k', 'At lunch')]).then([replaced('k', 'new', 'Back')]);
    when({ text: ' ' }, [set('k', 'At lunch'), replaced('k', 'l', 'Back')]).then([cleared('l')]);
    when({ text: 'Anew' }, [set('k', 'At lunch'), cleared('k')]).then([set('new', 'Anew')]);
  });

  it('to the same does nothing', () => {
    when({ text: 'At lunch ' }, [set('k', 'At lunch')]).thenNothing();
    when({ text: '' }).thenNothing();
    when({ text: '' }, [set('k', 'At lunch'), cleared('k')]).thenNothing();
  });

  it('has limits', () => {
    when({ text: '😀'.repeat(60) }).then([set('new', '😀'.repeat(60))]);
    when({ text: 'x'.repeat(61) }).thenRefuses('STATUS_TEXT_TOO_LONG', { limit: 60 });
    when({ text: 'a\0b' }).thenRefuses('STATUS_HAS_NULL_BYTES');
  });

  it('leaves no words in the state', () =>
    expect(JSON.stringify(given(userStatus, [set('k', 'At lunch')]).state)).not.toContain('lunch'));
});

describe('changing the emoji of a status', () => {
  it('finds its code, or accepts another of its names', () => {
    when({ emoji: named('car') }).then([emoji(null, car)]);
    const own = { ...car, emojiName: 'red_car' };
    when({ emoji: named('red_car', '1f697') }, [emoji(null, car)]).then([emoji(car, own)]);
  });

  it('to the same does nothing, and an empty name clears it', () => {
    when({ emoji: named('car') }, [emoji(null, car)]).thenNothing();
    when({ emoji: named('') }, [emoji(null, car)]).then([emoji(car, null)]);
    when({ emoji: named('') }).thenNothing();
  });

  it('refuses unknown emoji, and a code without a name', () => {
    when({ emoji: named('no_such_emoji') }).thenRefuses('EMOJI_UNKNOWN', { name: 'no_such_emoji' });
    when({ emoji: named('car', 'beef') }).thenRefuses('EMOJI_CODE_INVALID');
    when({ emoji: named(null, '1f697'), text: 'x' }).thenRefuses('STATUS_EMOJI_NAME_MISSING');
  });
});

describe('changing several parts', () => {
  it('is told once, by the last event', () => {
    when({ text: 'Driving', emoji: named('car') }).then([set('new', 'Driving', []), emoji(null, car, both)]);
    when({ text: '', emoji: named('') }, [set('k', 'Driving', []), emoji(null, car, both)]).then([
      cleared('k', []),
      emoji(car, null, both),
    ]);
  });

  it('tells all named parts, even if only one of them has changed', () => {
    const history = [set('k', 'Driving', []), emoji(null, car, both)];
    when({ text: 'Parked', emoji: named('car') }, history).then([replaced('k', 'new', 'Parked', both)]);
    when({ text: 'Driving', emoji: named('') }, history).then([emoji(car, null, both)]);
  });
});

it('nothing to change is refused, but the setting alone is no change of the status', () => {
  when({}).thenRefuses('STATUS_WITHOUT_VALUES');
  when({ away: true }).thenNothing();
});

it('only people have a status, which they and administrators change', () => {
  when({ text: 'x' }, [], { mayChange: false, user: 'nobody' }).thenRefuses('NOT_AUTHORIZED');
  when({ text: 'x' }, [], { user: 'nobody' }).thenRefuses('USER_NOT_FOUND');
  when({ text: 'x' }, [], { user: 'bot' }).thenRefuses('BOTS_NOT_ALLOWED');
});
