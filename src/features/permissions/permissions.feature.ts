import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';

const permissionRefusals = {
  ACTION_UNKNOWN: badRequest('There is no action {action}: there are {known}'),
  ACTION_NEEDS_CHANNEL: badRequest('{action} is an action in a channel: name one'),
  ACTION_IN_NO_CHANNEL: badRequest('{action} is an action in the whole organization: name no channel'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof permissionRefusals> {}
}

/** Tells why somebody may do something, or may not. */
export const permissionsFeature = {
  name: 'permissions',
  refusals: permissionRefusals,
  describes: () => import('./http/permissions.descriptions.js'),
  api: [() => import('./http/permissions.controller.js'), () => import('./queries/explain-permission.js')],
} as const satisfies Feature;
