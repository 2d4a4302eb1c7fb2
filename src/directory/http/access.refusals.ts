import { badRequest, type DataOf, lackingRight, type Refusals } from '../../platform/http/refusal.js';
import { NO_SESSION } from '../../platform/http/session-cookie.js';

const LOGIN = (): Readonly<Record<string, string>> => ({ 'WWW-Authenticate': 'Basic realm="zulip"' });

/** Refusals of a caller who is unknown or lacks the permission. */
export const accessRefusals = {
  UNAUTHORIZED: {
    status: 401,
    code: 'UNAUTHORIZED',
    message: 'Not logged in: API authentication or user session required',
    headers: LOGIN,
  },
  OTHER_SCHEME: {
    status: 401,
    code: 'UNAUTHORIZED',
    message: 'Not logged in: authentication is HTTP Basic, with an email address and its API key',
    headers: LOGIN,
  },
  SESSION_ENDED: {
    status: 401,
    code: 'UNAUTHORIZED',
    message: 'Not logged in: this session has ended',
    headers: () => ({ ...LOGIN(), 'Set-Cookie': NO_SESSION }),
  },
  INVALID_API_KEY: { status: 401, code: 'INVALID_API_KEY', message: 'Invalid API key', headers: LOGIN },
  MALFORMED_API_KEY: { status: 401, code: 'INVALID_API_KEY', message: 'Malformed API key', headers: LOGIN },
  AUTHENTICATION_FAILED: {
    status: 401,
    code: 'AUTHENTICATION_FAILED',
    message: 'Your username or password is incorrect',
    headers: LOGIN,
  },
  USER_DEACTIVATED: { status: 401, code: 'USER_DEACTIVATED', message: 'Account is deactivated', headers: LOGIN },
  WEBHOOK_BOTS_NOT_ALLOWED: {
    status: 401,
    code: 'UNAUTHORIZED',
    message: 'This API is not available to incoming webhook bots.',
    headers: LOGIN,
  },
  WEBHOOK_BOTS_ALONE: {
    status: 401,
    code: 'UNAUTHORIZED',
    message: 'This API is only available to incoming webhook bots (bot_type 2).',
    headers: LOGIN,
  },
  NOT_AUTHORIZED: lackingRight('Insufficient permission'),
  NOT_AUTHORIZED_FOR_QUERY: lackingRight('User not authorized for this query'),
  ADMINISTRATOR_REQUIRED: {
    status: 400,
    code: 'UNAUTHORIZED_PRINCIPAL',
    message: 'Must be an organization administrator',
    lacksRight: true,
  },
  OWNER_REQUIRED: {
    status: 400,
    code: 'UNAUTHORIZED_PRINCIPAL',
    message: 'Must be an organization owner',
    lacksRight: true,
  },
  GUESTS_NOT_ALLOWED: lackingRight('Not allowed for guest users'),
  BOTS_NOT_ALLOWED: badRequest('This endpoint does not accept bot requests.'),

  EXPECTATION_MISMATCH: {
    status: 400,
    code: 'EXPECTATION_MISMATCH',
    message: "'old' value does not match the expected value.",
  },

  // Permission settings, of the organization, of channels and of groups
  SETTING_GROUP_UNKNOWN: badRequest('Invalid user group ID: {groupId}'),
  SETTING_GROUP_DEACTIVATED: badRequest('User group is deactivated: {groupId}'),
  SETTING_USER_UNKNOWN: badRequest('Invalid user ID: {userId}'),
  SETTING_NEEDS_SYSTEM_GROUP: badRequest("'{setting}' must be a system user group."),
  SETTING_GROUP_NOT_ALLOWED: badRequest("'{setting}' setting cannot be set to '{group}' group."),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof accessRefusals> {}
}
