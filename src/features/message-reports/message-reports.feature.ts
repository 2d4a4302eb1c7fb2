import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';

const messageReportRefusals = {
  MESSAGE_REPORTS_OFF: badRequest('Moderation request channel must be specified to enable message reporting.'),
  MESSAGE_REPORT_UNEXPLAINED: badRequest('An explanation is required.'),
  MESSAGE_REPORT_TOO_LONG: badRequest('description is too long (limit: {limit} characters)'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof messageReportRefusals> {}
}

export const messageReportsFeature = {
  name: 'message-reports',
  refusals: messageReportRefusals,
  describes: () => import('./http/message-reports.descriptions.js'),
  api: [() => import('./http/message-reports.controller.js'), () => import('./commands/report-message.handler.js')],
} as const satisfies Feature;
