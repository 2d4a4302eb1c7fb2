import { draftRefusals } from './refusals/drafts.js';
import { mentionRefusals } from './refusals/mentions.js';
import { messageLifeRefusals } from './refusals/message-life.js';
import { moveRefusals } from './refusals/moves.js';
import { personalRefusals } from './refusals/personal.js';
import { readStateRefusals } from './refusals/read-state.js';
import type { Refusal } from './refusals/refusal.js';
import { typingRefusals } from './refusals/typing.js';
import { uploadRefusals } from './refusals/uploads.js';

const LOGIN = (): Readonly<Record<string, string>> => ({ 'WWW-Authenticate': 'Basic realm="zulip"' });

const bad = (message: Refusal['message']) => ({ status: 400, code: 'BAD_REQUEST', message }) as const;

/**
 * Every code that domain, handlers and edge refuse with, and what the client is told. A new refusal needs one row
 * here, under the feature that raises it; test/architecture checks that none is missing.
 */
export const errorTable = {
  // The request itself
  REQUEST_VARIABLE_MISSING: {
    status: 400,
    code: 'REQUEST_VARIABLE_MISSING',
    message: "Missing '{var_name}' argument",
    keys: ['var_name'],
  },
  INVALID_PARAMETER: bad('{description}'),
  INCOMPATIBLE_PARAMETERS: {
    status: 400,
    code: 'BAD_REQUEST',
    message: 'Unsupported parameter combination: {parameters}',
    keys: ['parameters'],
  },
  INVALID_JSON: { status: 400, code: 'INVALID_JSON', message: 'Malformed JSON' },
  MALFORMED_REQUEST: bad('{description}'),
  NOT_FOUND: { status: 404, code: 'NOT_FOUND', message: 'No such path' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: 'Method not allowed',
    headers: ({ allowed }) => ({ Allow: String(allowed) }),
  },
  REQUEST_TIMEOUT: { status: 408, code: 'REQUEST_TIMEOUT', message: 'The request did not arrive in time' },
  REQUEST_TOO_LARGE: { status: 413, code: 'REQUEST_TOO_LARGE', message: 'Request is too large' },
  PATH_TOO_LONG: { status: 414, code: 'PATH_TOO_LONG', message: 'Path is too long' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Unsupported Content-Type' },
  HEADERS_TOO_LARGE: { status: 431, code: 'REQUEST_TOO_LARGE', message: 'Request headers are too large' },
  RATE_LIMIT_HIT: {
    status: 429,
    code: 'RATE_LIMIT_HIT',
    message: 'API usage exceeded rate limit',
    keys: ['retry-after'],
    headers: (data) => ({ 'Retry-After': String(data['retry-after']) }),
  },
  INTERNAL_SERVER_ERROR: { status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' },
  PARTLY_DONE: {
    status: 500,
    code: 'PARTLY_DONE',
    message: 'The server could carry out only a part of this; the same request again does what is left',
  },
  WORDS_REMAIN: {
    status: 500,
    code: 'WORDS_REMAIN',
    message:
      'This was carried out; words that were deleted with it may still be in documents of the server, which follow without a further request',
  },
  OUTCOME_UNKNOWN: {
    status: 500,
    code: 'OUTCOME_UNKNOWN',
    message:
      'Whether this was stored is not known yet; the same request again, under the same Idempotency-Key or queue_id and local_id, tells',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: 'The server cannot answer this now; nothing was changed',
    headers: ({ retryAfterSeconds }) => ({ 'Retry-After': String(retryAfterSeconds) }),
  },

  // Authentication and permission
  UNAUTHORIZED: {
    status: 401,
    code: 'UNAUTHORIZED',
    message: 'Not logged in: API authentication or user session required',
    headers: LOGIN,
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
  REALM_DEACTIVATED: {
    status: 401,
    code: 'REALM_DEACTIVATED',
    message: 'This organization is deactivated',
    headers: LOGIN,
  },
  NOT_AUTHORIZED: bad('Insufficient permission'),
  NOT_AUTHORIZED_FOR_QUERY: bad('User not authorized for this query'),
  ADMINISTRATOR_REQUIRED: {
    status: 400,
    code: 'UNAUTHORIZED_PRINCIPAL',
    message: 'Must be an organization administrator',
  },
  OWNER_REQUIRED: { status: 400, code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization owner' },
  GUESTS_NOT_ALLOWED: bad('Not allowed for guest users'),
  BOTS_NOT_ALLOWED: bad('This endpoint does not accept bot requests.'),

  EXPECTATION_MISMATCH: {
    status: 400,
    code: 'EXPECTATION_MISMATCH',
    message: "'old' value does not match the expected value.",
  },

  // Permission settings, of the organisation, of channels and of groups
  SETTING_GROUP_UNKNOWN: bad('Invalid user group ID: {groupId}'),
  SETTING_GROUP_DEACTIVATED: bad('User group is deactivated: {groupId}'),
  SETTING_USER_UNKNOWN: bad('Invalid user ID: {userId}'),
  SETTING_NEEDS_SYSTEM_GROUP: bad("'{setting}' must be a system user group."),
  SETTING_GROUP_NOT_ALLOWED: bad("'{setting}' setting cannot be set to '{group}' group."),

  // The organisation
  REALM_NAME_EMPTY: bad('Organization name cannot be blank'),
  FIELD_NOT_FOUND: bad('Field id {id} not found.'),
  FIELD_TYPE_INVALID: bad('Invalid field type.'),
  FIELD_NAME_EMPTY: bad('Label cannot be blank.'),
  FIELD_NAME_TOO_LONG: bad('name is too long (limit: {limit} characters)'),
  FIELD_NAME_TAKEN: bad('A field with that label already exists.'),
  FIELD_HINT_TOO_LONG: bad('hint is too long (limit: {limit} characters)'),
  FIELD_DATA_INVALID: bad('field_data is not of the form that this field type needs'),
  FIELD_DATA_TOO_LONG: bad('field_data is too long (limit: {limit} characters)'),
  FIELD_NEEDS_CHOICES: bad('Field must have at least one choice.'),
  FIELD_CHOICE_WITHOUT_VALUE: bad("'value' cannot be blank."),
  FIELD_CHOICES_ALIKE: bad('Field must not have duplicate choices.'),
  EXTERNAL_ACCOUNT_UNKNOWN: bad('Invalid external account type'),
  EXTERNAL_ACCOUNT_NEEDS_PATTERN: bad('Custom external account must define URL pattern'),
  FIELD_URL_PATTERN_INVALID: bad("URL pattern must be a URL that contains '%(username)s' once."),
  FIELD_TYPE_NOT_IN_SUMMARY: bad('Field type not supported for display in profile summary.'),
  SUMMARY_IS_FULL: bad('Only {limit} custom profile fields can be displayed in the profile summary.'),
  DEFAULT_FIELD_FIXED: bad('Default custom field cannot be updated.'),
  FIELD_ORDER_INVALID: bad('Invalid order mapping.'),
  LINKIFIER_NOT_FOUND: bad('Linkifier not found.'),
  LINKIFIER_PATTERN_INVALID: bad('Bad regular expression: {reason}'),
  LINKIFIER_PATTERN_TAKEN: bad('A linkifier with this pattern already exists.'),
  LINKIFIER_ORDER_INVALID: bad('The ordered list must enumerate all existing linkifiers exactly once'),
  INVALID_URL_TEMPLATE: bad('Invalid URL template.'),
  TOO_MANY_URL_TEMPLATES: bad('Too many alternative URL templates (limit: {limit})'),
  TEMPLATE_GROUP_UNKNOWN: bad("Group '{name}' in URL template is not present in linkifier pattern."),
  PATTERN_GROUP_UNUSED: bad("Group '{name}' in linkifier pattern is not present in URL template."),
  EXAMPLE_TOO_LONG: bad('example_input is too long (limit: {limit} characters)'),
  EXAMPLE_DOES_NOT_MATCH: bad('Example input does not match the linkifier pattern.'),
  REVERSE_NEEDS_EXAMPLE: bad('A reverse template needs an example input.'),
  INVALID_REVERSE_TEMPLATE: bad('Invalid reverse template.'),
  REVERSE_DOES_NOT_MATCH: bad('The reverse template does not lead back to the example input.'),
  PLAYGROUND_NOT_FOUND: bad('Invalid playground'),
  PLAYGROUND_NAME_EMPTY: bad('Playground name cannot be blank.'),
  PLAYGROUND_LANGUAGE_INVALID: bad('Invalid characters in pygments language'),
  PLAYGROUND_NEEDS_CODE: bad('Missing the required variable "code" in the URL template'),
  PLAYGROUND_ONLY_CODE: bad('"code" should be the only variable present in the URL template'),
  PLAYGROUND_EXISTS: bad('A playground with this name and language already exists.'),

  // Users
  USER_NOT_FOUND: bad('No such user'),
  INVALID_USER_ID: bad('Invalid user ID {userId}'),
  INVALID_EMAIL: bad("Invalid email '{email}'"),
  INVALID_NEW_EMAIL: bad("Invalid email address '{email}'"),
  EMAIL_TAKEN: bad("Email '{email}' already in use"),
  WRONG_PASSWORD: bad('Wrong password!'),
  PASSWORD_TOO_WEAK: bad('New password is too weak!'),
  NAME_EMPTY: bad('full_name cannot be blank'),
  NAME_TOO_LONG: bad('full_name is too long'),
  NAME_INVALID: bad('full_name has characters that are not allowed'),
  NAME_TAKEN: bad('Unique names required in this organization.'),
  MAY_NOT_CREATE_USERS: bad('User not authorized to create users'),
  MAY_NOT_CHANGE_EMAILS: bad('User not authorized to change user emails'),
  GUEST_CANNOT_ADMINISTER: bad('Guests cannot be organization administrators'),
  ONLY_OWNER_DEMOTED: bad('The owner permission cannot be removed from the only organization owner.'),
  ONLY_OWNER: bad('Cannot deactivate the only organization owner'),
  CANNOT_DEACTIVATE_LAST_USER: {
    status: 400,
    code: 'CANNOT_DEACTIVATE_LAST_USER',
    message: 'Cannot deactivate the only {entity}',
    keys: ['is_last_owner', 'entity'],
  },
  PROFILE_FIELD_UNKNOWN: bad('Field id {fieldId} not found.'),
  PROFILE_VALUE_TOO_LONG: bad('{field} is too long (limit: {limit} characters)'),
  PROFILE_VALUE_INVALID: bad('{field} is not {what}'),
  PROFILE_OPTION_UNKNOWN: bad("'{value}' is not a valid choice for '{field}'."),
  BOTS_HAVE_NO_PROFILE: bad('Bots have no profile fields'),
  BOTS_KEEP_THEIR_ADDRESS: bad('The address of a bot cannot be changed'),
  BOT_NOT_FOUND: bad('No such bot'),
  BOT_SHORT_NAME_INVALID: bad('Bad name or username'),
  BOT_SHORT_NAME_TAKEN: bad('Username already in use'),
  BOT_NAME_TAKEN: bad('Name is already in use.'),
  BOT_TYPE_UNSUPPORTED: bad('Bots of type {type} are not supported by this server'),
  BOT_OWNER_UNKNOWN: bad('Failed to change owner, no such user'),
  BOT_OWNER_DEACTIVATED: bad('Failed to change owner, user is deactivated'),
  BOT_OWNER_IS_BOT: bad("Failed to change owner, bots can't own other bots"),

  // Channels and subscriptions
  STREAM_DOES_NOT_EXIST: {
    status: 400,
    code: 'STREAM_DOES_NOT_EXIST',
    message: (data) =>
      'stream_id' in data
        ? `Channel with ID '${String(data.stream_id)}' does not exist`
        : `Channel '${String(data.stream)}' does not exist`,
    keys: ['stream', 'stream_id'],
  },
  INVALID_CHANNEL_ID: bad('Invalid channel ID'),
  INVALID_CHANNEL_NAME: bad("Invalid channel name '{name}'"),
  CHANNEL_NAME_EMPTY: bad("Channel name can't be empty."),
  CHANNEL_NAME_TOO_LONG: bad('Channel name is too long (limit: {limit} characters)'),
  CHANNEL_NAME_INVALID: bad('Channel name has characters that are not allowed'),
  CHANNEL_DESCRIPTION_TOO_LONG: bad('Channel description is too long (limit: {limit} characters)'),
  CHANNEL_ALREADY_EXISTS: { status: 409, code: 'CHANNEL_ALREADY_EXISTS', message: "Channel '{name}' already exists" },
  CHANNEL_ARCHIVED: bad('Channel is archived'),
  CHANNEL_WITHOUT_SUBSCRIBERS: bad('Channel is private and has no subscribers'),
  CHANNEL_IS_DEFAULT: bad('A default channel cannot be private.'),
  CHANNEL_TAKES_REPORTS: bad('A moderation request channel cannot be public.'),
  CHANNEL_HAS_TOPICS: bad('Only a channel whose messages are all in the empty topic can be limited to it.'),
  CHANNEL_CHANGE_INVALID: bad('Invalid parameters'),
  CHANNEL_CONTENT_OUT_OF_REACH: bad('Channel content access is required.'),
  CANNOT_ADMINISTER_CHANNEL: {
    status: 400,
    code: 'CANNOT_ADMINISTER_CHANNEL',
    message: 'You do not have permission to administer this channel.',
  },
  WEB_PUBLIC_CHANNELS_OFF: bad('Web-public channels are not enabled.'),
  RETENTION_INVALID: bad("Bad value for 'message_retention_days': {value}"),
  CHANNEL_OUT_OF_REACH: bad('Unable to access channel ({name}).'),
  NO_CHANNELS_GIVEN: bad('subscriptions cannot be empty'),
  NO_SUBSCRIPTION_CHANGES: bad('Nothing to do. Give something to add or to delete.'),
  PRINCIPAL_DEACTIVATED: bad('User is deactivated'),
  NOT_SUBSCRIBED: bad('Not subscribed to channel ID {channelId}'),
  DEFAULT_CHANNEL_PRIVATE: bad('Private channels cannot be made default.'),

  // User groups
  USER_GROUP_NOT_FOUND: bad('Invalid user group'),
  USER_GROUP_DEACTIVATED: bad('User group is deactivated.'),
  USER_GROUP_NAME_EMPTY: bad("User group name can't be empty!"),
  USER_GROUP_NAME_TOO_LONG: bad('User group name cannot exceed {limit} characters.'),
  USER_GROUP_NAME_INVALID: bad('User group name has characters that are not allowed'),
  USER_GROUP_NAME_RESERVED: bad("User group name cannot start with '{beginning}'."),
  USER_GROUP_NAME_TAKEN: bad("User group '{name}' already exists."),
  USER_GROUP_DESCRIPTION_TOO_LONG: bad('User group description is too long (limit: {limit} characters)'),
  NO_GROUP_CHANGES: bad('No new data supplied'),
  NO_SUBGROUPS_GIVEN: bad('Nothing to do. Specify at least one of "add" or "delete".'),
  NO_MEMBERS_GIVEN: bad(
    'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
  ),
  GROUP_MEMBER_UNKNOWN: bad('Invalid user ID: {userId}'),
  ALREADY_GROUP_MEMBER: bad('User {userId} is already a member of this group'),
  NOT_A_GROUP_MEMBER: bad("There is no member '{userId}' in this user group"),
  SUBGROUP_UNKNOWN: bad('Invalid user group ID: {groupId}'),
  ALREADY_SUBGROUP: bad('User group {groupId} is already a subgroup of this group.'),
  NOT_A_SUBGROUP: bad('User group {groupId} is not a subgroup of this group.'),
  SUBGROUP_CYCLE: bad('User group {groupId} is already a subgroup of one of the passed subgroups.'),
  CANNOT_DEACTIVATE_GROUP_IN_USE: {
    status: 400,
    code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
    message: 'Cannot deactivate user group in use.',
    keys: ['objections'],
  },

  // Messages
  INVALID_MESSAGE: bad('Invalid message(s)'),
  MESSAGE_EMPTY: bad('Message must not be empty'),
  MESSAGE_HAS_NULL_BYTES: bad('Message must not contain null bytes'),
  MESSAGE_TOO_LONG: bad('Message is too long (limit: {limit} characters)'),
  TOPIC_MISSING: bad('Missing topic'),
  TOPIC_REQUIRED: bad("Topic can't be empty"),
  TOPIC_NOT_ALLOWED: bad('Only the general chat topic is allowed in this channel.'),
  TOPIC_TOO_LONG: bad('Topic is too long (limit: {limit} characters)'),
  TOPIC_INVALID: bad('Topic has characters that are not allowed'),
  RECIPIENT_MISSING: bad('Message must have recipients'),
  DIRECT_MESSAGES_DISABLED: bad('Direct messages are disabled in this organization.'),
  CONVERSATION_NOT_AUTHORIZED: bad('This conversation does not include any users who can authorize it.'),
  MAY_NOT_BEGIN_CONVERSATION: bad('You do not have permission to initiate direct message conversations.'),
  ONE_CHANNEL_EXPECTED: bad('Expected exactly one channel'),
  RECIPIENT_DEACTIVATED: bad("'{email}' is no longer using this organization"),
  USER_DEACTIVATED_RECIPIENT: bad("'{email}' is no longer using this organization"),
  TOO_MANY_MESSAGES: bad('Too many messages requested (maximum {limit}).'),
  ANCHOR_IN_THE_MIDDLE: bad('The anchor can only be excluded at an end of the range'),
  BAD_NARROW: { status: 400, code: 'BAD_NARROW', message: 'Invalid narrow operator: {desc}', keys: ['desc'] },
  IDEMPOTENCY_KEY_REUSED: {
    status: 400,
    code: 'EXPECTATION_MISMATCH',
    message: 'This Idempotency-Key was used for another request',
  },

  ...mentionRefusals,
  ...messageLifeRefusals,
  ...moveRefusals,
  ...readStateRefusals,
  ...personalRefusals,
  ...draftRefusals,
  ...typingRefusals,
  ...uploadRefusals,

  // Event queues
  BAD_EVENT_QUEUE_ID: {
    status: 400,
    code: 'BAD_EVENT_QUEUE_ID',
    message: 'Bad event queue ID: {queue_id}',
    keys: ['queue_id'],
  },
  QUEUE_LOCAL_ID_PAIR: bad('queue_id and local_id must be given together'),
  KEY_TOO_LONG: bad('Keys of a send have 1 to {limit} characters'),
} as const satisfies Record<string, Refusal>;

export type RefusalCode = keyof typeof errorTable;
