import { badRequest, type DataOf, lackingRight, type Refusals } from '../../platform/http/refusal.js';

/** Refusals of changes to accounts and bots. */
export const userRefusals = {
  USER_NOT_FOUND: badRequest('No such user'),
  INVALID_USER_ID: badRequest('Invalid user ID {userId}'),
  INVALID_EMAIL: badRequest("Invalid email '{email}'"),
  INVALID_NEW_EMAIL: badRequest("Invalid email address '{email}'"),
  EMAIL_CHANGES_DISABLED: badRequest('Email address changes are disabled in this organization.'),
  EMAIL_TAKEN: badRequest("Email '{email}' already in use"),
  API_KEY_UNKNOWN: badRequest('No such API key'),
  WRONG_PASSWORD: badRequest('Wrong password!'),
  NEW_PASSWORD_TOO_WEAK: badRequest('New password is too weak!'),
  PASSWORD_TOO_LONG: badRequest('The password is too long (limit: {limit} characters).'),
  PASSWORD_TOO_WEAK: badRequest('The password is too weak.'),
  NAME_EMPTY: badRequest('full_name cannot be blank'),
  NAME_TOO_LONG: badRequest('full_name is too long'),
  NAME_INVALID: badRequest('full_name has characters that are not allowed'),
  NAME_TAKEN: badRequest('Unique names required in this organization.'),
  MAY_NOT_CREATE_USERS: lackingRight('User not authorized to create users'),
  MAY_NOT_CHANGE_EMAILS: lackingRight('User not authorized to change user emails'),
  GUEST_CANNOT_ADMINISTER: badRequest('Guests cannot be organization administrators'),
  ONLY_OWNER_DEMOTED: badRequest('The owner permission cannot be removed from the only organization owner.'),
  ONLY_OWNER: badRequest('Cannot deactivate the only organization owner'),
  CANNOT_DEACTIVATE_LAST_USER: {
    status: 400,
    code: 'CANNOT_DEACTIVATE_LAST_USER',
    message: 'Cannot deactivate the only {entity}',
    keys: ['is_last_owner', 'entity'],
  },
  PROFILE_FIELD_UNKNOWN: badRequest('Field id {fieldId} not found.'),
  PROFILE_VALUE_TOO_LONG: badRequest('{field} is too long (limit: {limit} characters)'),
  PROFILE_VALUE_INVALID: badRequest('{field} is not {what}'),
  PROFILE_OPTION_UNKNOWN: badRequest("'{value}' is not a valid choice for '{field}'."),
  BOTS_HAVE_NO_PROFILE: badRequest('Bots have no profile fields'),
  BOTS_KEEP_THEIR_ADDRESS: badRequest('The address of a bot cannot be changed'),
  BOT_NOT_FOUND: badRequest('No such bot'),
  BOT_SHORT_NAME_INVALID: badRequest('Bad name or username'),
  BOT_SHORT_NAME_TAKEN: badRequest('Username already in use'),
  BOT_NAME_TAKEN: badRequest('Name is already in use.'),
  BOT_TYPE_UNSUPPORTED: badRequest('Invalid bot type'),
  BOT_HAS_NO_WEBHOOK: badRequest('This bot has no payload URL'),
  NOT_A_URL: badRequest('{parameter} is not a URL'),
  URL_WITH_USER: badRequest('{parameter} must not have a user or a password in it'),
  WEBHOOK_INTERFACE_INVALID: badRequest('Invalid interface type'),
  BOT_OWNER_UNKNOWN: badRequest('Failed to change owner, no such user'),
  BOT_OWNER_DEACTIVATED: badRequest('Failed to change owner, user is deactivated'),
  BOT_OWNER_IS_BOT: badRequest("Failed to change owner, bots can't own other bots"),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof userRefusals> {}
}
