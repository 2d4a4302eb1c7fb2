import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';

/** Refusals of tokens and registrations of mobile devices. */
export const pushRefusals = {
  PUSH_TOKEN_LENGTH: badRequest('Empty or invalid length token'),
  APNS_TOKEN_INVALID: badRequest('Invalid APNS token'),
  FCM_TOKEN_INVALID: badRequest('Invalid FCM token'),
  PUSH_APP_ID_INVALID: badRequest('Invalid app ID'),
  PUSH_TOKEN_UNKNOWN: badRequest('Token does not exist'),
  PUSH_DEVICE_UNKNOWN: badRequest('No such device'),
  TOO_MANY_PUSH_DEVICES: badRequest('Too many devices (limit: {limit})'),
  INVALID_PUSH_DEVICE_TOKEN: { status: 400, code: 'INVALID_PUSH_DEVICE_TOKEN', message: 'Device not recognized' },
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: {
    status: 400,
    code: 'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
    message: 'Device not recognized by the push bouncer',
  },
  NO_ACTIVE_PUSH_DEVICE: { status: 400, code: 'NO_ACTIVE_PUSH_DEVICE', message: 'No active registered push device' },
  ADMIN_ACTION_REQUIRED: {
    status: 403,
    code: 'ADMIN_ACTION_REQUIRED',
    message: 'Push notification configuration issue on server, contact the server administrator or retry later.',
  },
  PUSH_SERVICE_FAILED: {
    status: 502,
    code: 'BAD_REQUEST',
    message: 'The push notification service cannot be reached or refuses the notification, retry later.',
  },
  FAILED_TO_CONNECT_BOUNCER: {
    status: 502,
    code: 'FAILED_TO_CONNECT_BOUNCER',
    message: 'Network error while connecting to the push notification service.',
  },
  INTERNAL_SERVER_ERROR_ON_BOUNCER: {
    status: 502,
    code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER',
    message: 'Internal server error on the push notification service, retry later.',
  },
  PUSH_SERVICE_NOT_CONFIGURED: {
    status: 400,
    code: 'PUSH_SERVICE_NOT_CONFIGURED',
    message: 'Server is not configured to use push notification service.',
  },
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof pushRefusals> {}
}
