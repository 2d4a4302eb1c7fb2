import type { DataOf, Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';

const healthRefusals = {
  HEALTH_NOT_ALLOWED: {
    status: 400,
    code: 'UNAUTHORIZED_PRINCIPAL',
    message: 'You may not see how the server does',
    lacksRight: true,
  },
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof healthRefusals> {}
}

/** The details of health, for those who may know them. What anybody may ask is answered in front of the application. */
export const healthFeature = {
  name: 'health',
  refusals: healthRefusals,
  describes: () => import('./http/health.descriptions.js'),
  api: [() => import('./http/health.controller.js')],
} as const satisfies Feature;
