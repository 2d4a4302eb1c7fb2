import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';

const botStorageRefusals = {
  BOT_STORAGE_KEY_NOT_FOUND: badRequest('Key does not exist.'),
  BOT_STORAGE_KEY_TOO_LONG: badRequest('Key is too long (limit: {limit} characters)'),
  BOT_STORAGE_FULL: badRequest(
    'Request exceeds storage limit by {excess} characters. The limit is {limit} characters.',
  ),
  TOO_MANY_BOT_STORAGE_KEYS: badRequest('Too many keys (limit: {limit})'),
  TOO_MUCH_FOR_BOT_STORAGE: badRequest('Request stores too much at once (limit: {limit} KiB)'),
  TOO_MUCH_OF_BOT_STORAGE: badRequest('These values are too large for one answer. Ask for fewer keys.'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof botStorageRefusals> {}
}

export const botStorageFeature = {
  name: 'bot-storage',
  refusals: botStorageRefusals,
  describes: () => import('./http/bot-storage.descriptions.js'),
  api: [() => import('./http/bot-storage.controller.js'), () => import('./bot-storage.handlers.js')],
} as const satisfies Feature;
