import type { CustomEmojiEvent } from '../../src/events/custom-emoji/custom-emoji.events.js';
import { clientEvent, EVERYONE } from './client-event.js';
import type { ClientEventRule, ClientEventRules } from './directory-rules.js';

/** Tells all custom emoji, as they are when the client event is sent. */
export const realmEmojiUpdate = clientEvent<Record<string, never>>()({ kind: 'realm_emoji/update', rank: 1024 });

const emojiChanged: ClientEventRule<CustomEmojiEvent> = (event) => [realmEmojiUpdate.of(event, EVERYONE, {})];

export const customEmojiRules: ClientEventRules<CustomEmojiEvent> = {
  CustomEmojiAdded: emojiChanged,
  CustomEmojiDeactivated: emojiChanged,
};
