import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';

const auditRefusals = {
  TOPIC_WITHOUT_CHANNEL: badRequest('topic needs channel_id'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof auditRefusals> {}
}

export const auditFeature = {
  name: 'audit',
  refusals: auditRefusals,
  api: [
    () => import('./http/audit.controller.js'),
    () => import('./log/audit-log.js'),
    () => import('./queries/get-audit-events.handler.js'),
  ],
} as const satisfies Feature;
