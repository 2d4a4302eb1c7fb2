import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';

const STATUS: Readonly<Record<string, string>> = {
  status_text: 'The text, at most 60 characters; empty: none',
  emoji_name:
    'The name of the emoji; empty: none. By the name alone it is a custom emoji or, if there is none, one of Unicode',
  emoji_code: 'The code of the emoji: code points of Unicode in hexadecimal, or the id of a custom emoji',
  reaction_type: 'The kind of the emoji: `unicode_emoji`, `realm_emoji`, which is a custom one, or `zulip_extra_emoji`',
};

const ABOUT = 'Text and emoji that are not sent stay as they are.';

const CHANGE_OWN: Description = {
  summary: 'Change your own status.',
  text: `For people. ${ABOUT}`,
  parameters: {
    ...STATUS,
    away: 'The opposite of the setting `presence_enabled`: true hides when you are online',
  },
};

const CHANGE: Description = {
  summary: 'Change the status of a person.',
  text: `For administrators, and for the person. ${ABOUT}`,
  parameters: STATUS,
};

const ONE: Description = { summary: 'Get the status of a person: text and emoji.' };

export const descriptions: Descriptions = {
  'POST /users/me/status': CHANGE_OWN,
  'POST /users/{user_id}/status': CHANGE,
  'GET /users/{user_id}/status': ONE,
};
