import type { CustomEmojiDeactivated } from '../../../events/custom-emoji/custom-emoji.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type CustomEmojiState, nameOf } from './custom-emoji.state.js';

export class DeactivateCustomEmoji extends Command<{ name: string; userId: number }> {}

export const decideDeactivateCustomEmoji: Decide<
  DeactivateCustomEmoji,
  CustomEmojiState,
  CustomEmojiDeactivated,
  { readonly isAdministrator: boolean }
> = ({ name: given, userId }, { active }, { isAdministrator }) => {
  const name = nameOf(given);
  const { id, authorId } = active.get(name) ?? refuse('CUSTOM_EMOJI_NOT_FOUND', { name });
  if (!isAdministrator && authorId !== userId) refuse('CUSTOM_EMOJI_OF_OTHERS');
  return [{ type: 'CustomEmojiDeactivated', data: { emojiId: id, name } }];
};
