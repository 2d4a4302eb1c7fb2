import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';

const auditRefusals = {
  TOPIC_WITHOUT_CHANNEL: badRequest('topic needs channel_id'),
  NO_ADDRESS: badRequest('address is no IP address'),
  NO_SUCH_ACCOUNT: badRequest('{parameter}: no such account'),
  PROOFS_IN_TABLE: badRequest('CSV has no room for proofs: ask for JSON or JSON lines'),
  AUDIT_NOT_ALLOWED: {
    status: 400,
    code: 'UNAUTHORIZED_PRINCIPAL',
    message: 'You may not read the audit',
    lacksRight: true,
  },
  WORDS_LEAVE_NO_TRACE: badRequest(
    'Words are not shown, because this server records no accesses (ANNALS_ACCESS_DAYS is 0)',
  ),
  WORDS_NOT_RECORDED: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: 'The words are not shown, because reading them cannot be recorded now',
    headers: () => ({ 'Retry-After': '1' }),
  },
  PROOF_OF_WHAT: badRequest('Give event_id or message_id'),
  NO_MESSAGE_THEN: { status: 404, code: 'NOT_FOUND', message: 'There was no such message then' },
  EVENT_NOT_FOUND: { status: 404, code: 'NOT_FOUND', message: 'The log has no such event' },
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof auditRefusals> {}
}

export const auditFeature = {
  name: 'audit',
  refusals: auditRefusals,
  describes: () => import('./http/audit.descriptions.js'),
  api: [
    () => import('./http/audit.controller.js'),
    () => import('./services/audit-reads.js'),
    () => import('./log/audit-log.js'),
    () => import('./log/word-reads.js'),
    () => import('./services/audit-words.js'),
    () => import('./services/audit-search.js'),
    () => import('./queries/audit.queries.js'),
    () => import('./queries/get-audit-proofs.handler.js'),
  ],
} as const satisfies Feature;
