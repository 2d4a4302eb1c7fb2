import type { CustomEmojiEvent } from '../../events/custom-emoji/custom-emoji.events.js';
import { alters, organization, type Rules } from './rule.js';

export const customEmojiRules: Rules<CustomEmojiEvent> = {
  CustomEmojiAdded: alters('organization', organization, ({ data }, { customEmoji = [] }) => {
    const { emojiId: id, name, authorId, fileId, stillFileId, isPng } = data;
    const added = { id, name, authorId, fileId, stillFileId, ...(isPng && { isPng }), isActive: true };
    return { customEmoji: [...customEmoji, added] };
  }),
  CustomEmojiDeactivated: alters('organization', organization, ({ data }, { customEmoji = [] }) => ({
    customEmoji: customEmoji.map((one) => (one.id === data.emojiId ? { ...one, isActive: false } : one)),
  })),
};
