import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsNobody } from '../shared/concerned.js';

/** The stream of the organization's own emoji. */
export const CUSTOM_EMOJI_STREAM = 'customEmoji';

export type CustomEmojiAdded = DomainEvent<
  'CustomEmojiAdded',
  {
    /** A number of its own: the name can be used again after the emoji is deactivated. */
    readonly emojiId: number;
    readonly name: string;
    readonly authorId: number;
    /** The picture's name in the file store. */
    readonly fileId: string;
    /** The still picture of an animated emoji; null: the picture does not move. */
    readonly stillFileId: string | null;
  }
>;

/** The pictures stay: old messages and reactions show them. */
export type CustomEmojiDeactivated = DomainEvent<
  'CustomEmojiDeactivated',
  { readonly emojiId: number; readonly name: string }
>;

export type CustomEmojiEvent = CustomEmojiAdded | CustomEmojiDeactivated;

export const customEmojiEvents = [
  defineEvent<CustomEmojiAdded>({
    type: 'CustomEmojiAdded',
    version: 1,
    concerns: ({ data: { authorId } }) => ({ userIds: [authorId] }),
    files: ['fileId', 'stillFileId'],
  }),
  defineEvent<CustomEmojiDeactivated>({ type: 'CustomEmojiDeactivated', version: 1, concerns: concernsNobody }),
];
