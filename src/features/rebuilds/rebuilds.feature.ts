import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';

const rebuildRefusals = {
  PROJECTION_UNKNOWN: badRequest('There is no projection {name}: there are {known}'),
  REBUILD_UNDER_WAY: badRequest('{name} is being rebuilt already: wait until that is done'),
  REBUILD_NOT_BEGUN: badRequest('The rebuild has not begun: {reason}'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof rebuildRefusals> {}
}

/** Owners have documents built anew beside those that are read. */
export const rebuildsFeature = {
  name: 'rebuilds',
  refusals: rebuildRefusals,
  describes: () => import('./http/rebuilds.descriptions.js'),
  api: [() => import('./http/rebuilds.controller.js'), () => import('./commands/begin-rebuild.handler.js')],
} as const satisfies Feature;
