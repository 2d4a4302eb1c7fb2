import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';
import type { Feature } from '../feature.js';

const incomingWebhookRefusals = {
  INTEGRATION_UNKNOWN: { status: 404, code: 'NOT_FOUND', message: 'No such integration: there are {names}' },
  PAYLOAD_FIELD_MISSING: badRequest('The payload has no {field}, or it is not {kind}'),
  EVENT_HEADER_MISSING: badRequest('The request has no header {header}, which names the event'),
  PAYLOAD_SAYS_NOTHING: badRequest('The payload has no text: {fields} are missing or empty'),
  DELIVERY_TOO_LONG: badRequest('The header {header} has more than {limit} characters'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof incomingWebhookRefusals> {}
}

/** Services that post by a URL, as a bot. Accounts and keys of bots belong to the feature of users. */
export const incomingWebhooksFeature = {
  name: 'incoming-webhooks',
  refusals: incomingWebhookRefusals,
  describes: () => import('./http/external.descriptions.js'),
  api: [() => import('./commands/post-from-service.handler.js'), () => import('./http/external.controller.js')],
} as const satisfies Feature;
