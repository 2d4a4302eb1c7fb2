import type { DataOf, Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';
import { ASSET_ROUTE, PAGE_ROUTE } from './page.routes.js';
import { pageSettings } from './page.settings.js';

const pageRefusals = {
  ASSET_NOT_FOUND: { status: 404, code: 'NOT_FOUND', message: 'There is no such file' },
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof pageRefusals> {}
}

/** Serves the page that people open in a browser. Its code is in `web`; it uses the API alone. */
export const pageFeature = {
  name: 'page',
  refusals: pageRefusals,
  settings: pageSettings,
  outside: [PAGE_ROUTE, ASSET_ROUTE],
  api: [() => import('./http/page.controller.js'), () => import('./services/built-page.js')],
} as const satisfies Feature;
