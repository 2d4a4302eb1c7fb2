import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';

const navigationViewRefusals = {
  VIEW_NOT_FOUND: { status: 404, code: 'BAD_REQUEST', message: 'Navigation view does not exist.' },
  VIEW_EXISTS: badRequest('Navigation view already exists.'),
  VIEW_FRAGMENT_BLANK: badRequest('fragment cannot be blank'),
  VIEW_FRAGMENT_TOO_LONG: badRequest('fragment is too long (limit: {limit} characters)'),
  VIEW_NAME_INVALID: badRequest('Custom views must have a valid name.'),
  VIEW_NAME_TOO_LONG: badRequest('name is too long (limit: {limit} characters)'),
  VIEW_HAS_NULL_BYTES: badRequest('Navigation views must not contain null bytes'),
  BUILT_IN_VIEW_HAS_NAME: badRequest('Built-in views cannot have a custom name.'),
  TOO_MANY_VIEWS: badRequest('Too many navigation views (limit: {limit})'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof navigationViewRefusals> {}
}

export const navigationViewsFeature = {
  name: 'navigation-views',
  refusals: navigationViewRefusals,
  describes: () => import('./http/navigation-views.descriptions.js'),
  api: [() => import('./http/navigation-views.controller.js'), () => import('./navigation-views.handlers.js')],
} as const satisfies Feature;
