import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';

const presenceRefusals = {
  INVALID_PRESENCE_STATUS: badRequest('Invalid status: {status}'),
  PRESENCE_OF_BOT: badRequest('Presence is not supported for bot users.'),
  PRESENCE_UNKNOWN: badRequest('No presence data for {user}'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof presenceRefusals> {}
}

export const presenceFeature = {
  name: 'presence',
  refusals: presenceRefusals,
  describes: () => import('./http/presence.descriptions.js'),
  api: [
    () => import('./services/shared-presence.js'),
    () => import('./commands/update-presence.handler.js'),
    () => import('./http/presence.controller.js'),
    () => import('./queries/presence.queries.js'),
    () => import('./services/presences.js'),
  ],
} as const satisfies Feature;
