import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';
import { PICTURE_ROUTES_OUTSIDE } from './organization-pictures.routes.js';

const organizationPictureRefusals = {
  ICON_NOT_ONE_FILE: badRequest('You must upload exactly one icon.'),
  LOGO_NOT_ONE_FILE: badRequest('You must upload exactly one logo.'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof organizationPictureRefusals> {}
}

export const organizationPicturesFeature = {
  name: 'organization-pictures',
  refusals: organizationPictureRefusals,
  outside: PICTURE_ROUTES_OUTSIDE,
  describes: () => import('./http/organization-pictures.descriptions.js'),
  api: [
    () => import('./commands/organization-pictures.handlers.js'),
    () => import('./http/organization-pictures.controller.js'),
    () => import('./queries/organization-pictures.queries.js'),
  ],
} as const satisfies Feature;
