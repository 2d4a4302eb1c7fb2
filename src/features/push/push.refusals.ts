import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';

/** Refusals of tokens and registrations of mobile devices. */
export const pushRefusals = {
  PUSH_TOKEN_LENGTH: badRequest('Empty or invalid length token'),
  APNS_TOKEN_INVALID: badRequest('Invalid APNS token'),
  PUSH_APP_ID_INVALID: badRequest('Invalid app ID'),
  PUSH_TOKEN_UNKNOWN: badRequest('Token does not exist'),
  TOO_MANY_PUSH_DEVICES: badRequest('Too many devices (limit: {limit})'),
  PUSH_SERVICE_NOT_CONFIGURED: {
    status: 400,
    code: 'PUSH_SERVICE_NOT_CONFIGURED',
    message: 'Server is not configured to use push notification service.',
  },
} as const satisfies Refusals;

declare module '../../platform/kernel/domain-error.js' {
  interface RefusalCodes extends DataOf<typeof pushRefusals> {}
}
