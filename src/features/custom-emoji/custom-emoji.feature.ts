import { badRequest, type DataOf, lackingRight, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';
import { CUSTOM_EMOJI_ROUTES } from './custom-emoji.routes.js';

const customEmojiRefusals = {
  CUSTOM_EMOJI_NAME_MISSING: badRequest('Emoji name is missing'),
  CUSTOM_EMOJI_NAME_INVALID: badRequest(
    'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
  ),
  CUSTOM_EMOJI_NAME_ENDS_BADLY: badRequest('Emoji names must end with either a letter or digit.'),
  CUSTOM_EMOJI_NAME_TOO_LONG: badRequest('emoji_name is too long (limit: {limit} characters)'),
  CUSTOM_EMOJI_NAME_TAKEN: badRequest('A custom emoji with this name already exists.'),
  CUSTOM_EMOJI_OVERRIDES: lackingRight('Only administrators can override default emoji.'),
  CUSTOM_EMOJI_OF_OTHERS: lackingRight('Must be an organization administrator or emoji author'),
  CUSTOM_EMOJI_NOT_FOUND: { status: 404, code: 'BAD_REQUEST', message: "Emoji '{name}' does not exist" },
  TOO_MANY_CUSTOM_EMOJI: badRequest('Too many custom emoji (limit: {limit})'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof customEmojiRefusals> {}
}

export const customEmojiFeature = {
  name: 'custom-emoji',
  refusals: customEmojiRefusals,
  outside: CUSTOM_EMOJI_ROUTES,
  describes: () => import('./http/custom-emoji.descriptions.js'),
  api: [
    () => import('./commands/custom-emoji.handlers.js'),
    () => import('./http/custom-emoji.controller.js'),
    () => import('./queries/custom-emoji.queries.js'),
  ],
} as const satisfies Feature;
