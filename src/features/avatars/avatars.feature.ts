import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';
import { AVATAR_PICTURE_ROUTE, AVATAR_ROUTE, MEDIUM_AVATAR_ROUTE } from './avatars.routes.js';

const avatarRefusals = {
  AVATAR_NOT_ONE_FILE: badRequest('You must upload exactly one avatar.'),
  AVATAR_CHANGES_DISABLED: badRequest('Avatar changes are disabled in this organization.'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof avatarRefusals> {}
}

export const avatarsFeature = {
  name: 'avatars',
  refusals: avatarRefusals,
  outside: [AVATAR_ROUTE, MEDIUM_AVATAR_ROUTE, AVATAR_PICTURE_ROUTE],
  describes: () => import('./http/avatars.descriptions.js'),
  api: [
    () => import('./commands/avatars.handlers.js'),
    () => import('./http/avatars.controller.js'),
    () => import('./queries/avatars.queries.js'),
  ],
} as const satisfies Feature;
