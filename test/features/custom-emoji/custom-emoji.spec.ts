import { describe, it } from '@jest/globals';
import type { CustomEmojiAdded, CustomEmojiEvent } from '../../../src/events/custom-emoji/custom-emoji.events.js';
import {
  AddCustomEmoji,
  type AddCustomEmojiFacts,
  customEmoji,
  DeactivateCustomEmoji,
  decideAddCustomEmoji,
  decideDeactivateCustomEmoji,
  LONGEST_NAME,
  MOST_ACTIVE,
  MOST_EVER,
} from '../../../src/features/custom-emoji/domain/custom-emoji.js';
import { UNMEASURED } from '../../../src/platform/kernel/event-definition.js';
import { given } from '../../support/events/given.js';
import { asker } from '../../support/requests/asker.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const picture = { fileId: 'file', measure: { size: 4, sha256: 'of the file' } };
const still = { fileId: 'still', measure: { size: 2, sha256: 'of the still one' } };
const member: AddCustomEmojiFacts = { mayAdd: true, isAdministrator: false, picture, still: null, isPng: false };
const administrator = { ...member, isAdministrator: true };
async function* content(): AsyncGenerator<Uint8Array> {}

const added = (emojiId: number, name: string, authorId = 1): CustomEmojiAdded => ({
  type: 'CustomEmojiAdded',
  data: { emojiId, name, authorId, ...picture, stillFileId: null, stillMeasure: UNMEASURED },
});
const deactivated = (emojiId: number, name: string): CustomEmojiEvent => ({
  type: 'CustomEmojiDeactivated',
  data: { emojiId, name },
});

describe('adding a custom emoji', () => {
  const when = (name: string, history: readonly CustomEmojiEvent[] = [], facts = member) =>
    given(customEmoji, history).when(
      decideAddCustomEmoji,
      new AddCustomEmoji({ name, authorId: 1, picture: content(), asker, by }),
      facts,
    );

  it('gives it the next number, and a name without spaces', () =>
    when(' green tick ', [added(1, 'one')]).then([added(2, 'green_tick')]));

  it('records the still picture of an animated one', () => {
    const { type, data } = added(1, 'tick');
    const withStill = { ...data, stillFileId: 'still', stillMeasure: still.measure };
    when('tick', [], { ...member, still }).then([{ type, data: withStill }]);
  });

  it.each([
    ['  ', 'CUSTOM_EMOJI_NAME_MISSING'],
    ['Tick', 'CUSTOM_EMOJI_NAME_INVALID'],
    ['tick:tock', 'CUSTOM_EMOJI_NAME_INVALID'],
    ['kůň', 'CUSTOM_EMOJI_NAME_INVALID'],
    ['tick_', 'CUSTOM_EMOJI_NAME_ENDS_BADLY'],
    ['tick-', 'CUSTOM_EMOJI_NAME_ENDS_BADLY'],
  ] as const)('refuses the name %j: %s', (name, code) => when(name).thenRefuses(code));

  it('has a longest name', () => {
    when('x'.repeat(LONGEST_NAME)).then([added(1, 'x'.repeat(LONGEST_NAME))]);
    when('x'.repeat(LONGEST_NAME + 1)).thenRefuses('CUSTOM_EMOJI_NAME_TOO_LONG', { limit: LONGEST_NAME });
  });

  it('is allowed by the setting', () => when('tick', [], { ...member, mayAdd: false }).thenRefuses('NOT_AUTHORIZED'));

  it('overrides an emoji that all have only if an administrator does it', () => {
    for (const name of ['tada', 'zulip']) {
      when(name).thenRefuses('CUSTOM_EMOJI_OVERRIDES');
      when(name, [], administrator).then([added(1, name)]);
    }
  });

  it('needs a name that no active emoji has; a deactivated one gives its name up, and not its number', () => {
    when('tick', [added(1, 'tick')]).thenRefuses('CUSTOM_EMOJI_NAME_TAKEN');
    when('tick', [added(1, 'tick'), deactivated(1, 'tick')]).then([added(2, 'tick')]);
  });

  it('ends when there are too many', () => {
    const many = Array.from({ length: MOST_ACTIVE }, (_, at) => added(at + 1, `e${at}`));
    when('more', many).thenRefuses('TOO_MANY_CUSTOM_EMOJI', { limit: MOST_ACTIVE });
    when('more', [...many, deactivated(1, 'e0')]).then([added(MOST_ACTIVE + 1, 'more')]);
    when('more', [added(MOST_EVER, 'last'), deactivated(MOST_EVER, 'last')]).thenRefuses('TOO_MANY_CUSTOM_EMOJI');
  });
});

describe('deactivating a custom emoji', () => {
  const when = (name: string, userId: number, isAdministrator = false) =>
    given(customEmoji, [added(1, 'green_tick', 7), added(2, 'gone', 7), deactivated(2, 'gone')]).when(
      decideDeactivateCustomEmoji,
      new DeactivateCustomEmoji({ name, userId, by }),
      { isAdministrator },
    );

  it('is for its author and administrators', () => {
    when('green tick', 7).then([deactivated(1, 'green_tick')]);
    when('green_tick', 8, true).then([deactivated(1, 'green_tick')]);
    when('green_tick', 8).thenRefuses('CUSTOM_EMOJI_OF_OTHERS');
  });

  it('refuses a name that no active emoji has', () => {
    for (const name of ['gone', 'never']) when(name, 7).thenRefuses('CUSTOM_EMOJI_NOT_FOUND', { name });
  });
});
