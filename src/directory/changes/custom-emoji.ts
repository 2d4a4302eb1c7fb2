import type { CustomEmojiEvent } from '../../events/custom-emoji/custom-emoji.events.js';
import { alters, type Rules } from './rule.js';

const organization = (): 'organization' => 'organization';

export const customEmojiRules: Rules<CustomEmojiEvent> = {
  CustomEmojiAdded: alters('organization', organization, ({ data }, { customEmoji = [] }) => {
    const { emojiId: id, name, authorId, fileId, stillFileId } = data;
    return { customEmoji: [...customEmoji, { id, name, authorId, fileId, stillFileId, isActive: true }] };
  }),
  CustomEmojiDeactivated: alters('organization', organization, ({ data }, { customEmoji = [] }) => ({
    customEmoji: customEmoji.map((one) => (one.id === data.emojiId ? { ...one, isActive: false } : one)),
  })),
};
