import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';

const userStatusRefusals = {
  STATUS_WITHOUT_VALUES: badRequest('Client did not pass any new values.'),
  STATUS_EMOJI_NAME_MISSING: badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.'),
  STATUS_TEXT_TOO_LONG: badRequest('status_text is too long (limit: {limit} characters)'),
  STATUS_HAS_NULL_BYTES: badRequest('status_text must not contain null bytes'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof userStatusRefusals> {}
}

export const userStatusFeature = {
  name: 'user-status',
  refusals: userStatusRefusals,
  describes: () => import('./http/user-status.descriptions.js'),
  api: [
    () => import('./http/user-status.controller.js'),
    () => import('./user-status.handlers.js'),
    () => import('./queries/statuses.queries.js'),
  ],
} as const satisfies Feature;
