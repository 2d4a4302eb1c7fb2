import type { Descriptions } from '../../../platform/http/openapi/described-api.js';

export const descriptions: Descriptions = {
  'GET /realm/emoji': {
    summary: 'List the custom emoji of the organization, by id.',
    text: 'Deactivated ones are listed, too, because messages and reactions still show them.',
  },
  'POST /realm/emoji/{emoji_name}': {
    summary: 'Add a custom emoji.',
    text: `Who may is set by \`can_add_custom_emoji_group\`; only administrators may take the name of a built-in emoji. There are up to
1,000 at a time, and up to 10,000 ever.`,
    parameters: {
      emoji_name: 'Its name: lower-case ASCII letters, digits, `_` and `-`, up to 100; spaces become `_`',
    },
    file: 'The picture, GIF, JPEG, PNG or WebP, up to 5 MiB; made smaller to fit 64 × 64 pixels',
  },
  'DELETE /realm/emoji/{emoji_name}': {
    summary: 'Deactivate a custom emoji: nobody can use it in new messages.',
    text: 'For administrators, and for who has added it.',
    parameters: { emoji_name: 'Its name' },
  },
};
