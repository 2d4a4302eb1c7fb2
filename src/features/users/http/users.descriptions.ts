import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';
import { listOf, objectOf, text, whole, wholeOrNull, yesOrNo } from '../../../platform/http/openapi/schema.js';
import { botDescriptions } from './bots.descriptions.js';

const SHAPE: Readonly<Record<string, string>> = {
  client_gravatar:
    'Whether `avatar_url` is null for accounts whose picture is a Gravatar, so that the client makes the URL from the address. Default true',
  include_custom_profile_fields:
    'Whether people have `profile_data`: their values of custom profile fields. Default false',
};

const ACCOUNT = 'The id of the account, or its address in any case';

const LIST: Description = {
  summary: 'List the accounts of the organization.',
  text: 'People and bots, deactivated ones too.',
  parameters: {
    ...SHAPE,
    user_ids: 'Answer with no accounts but these. Ids that no account has are left out. Default: all accounts',
  },
};

const CREATE: Description = {
  summary: 'Create an account of a person.',
  text: 'For administrators with the permission `can_create_users`, which `annals grant` gives. The account is a member, and is subscribed to the default channels.',
  parameters: {
    email: 'The address of the account, which no other account has in any case. No mail is sent to it',
    password: 'The password of the account, at most 100 characters. The operator sets the least number of them',
    full_name: 'The name that people see, at most 100 characters',
  },
};

const OWN: Description = {
  summary: 'Get your own account.',
  text: '`max_message_id` is the id of the newest message of the organization.',
};

const ONE: Description = {
  summary: 'Get an account by its id or its address.',
  parameters: { ...SHAPE, user: ACCOUNT },
};

const UPDATE: Description = {
  summary: 'Change the account of somebody.',
  text: 'For administrators. Makes all changes, or none. People change their own name and address with `PATCH /settings`.',
  parameters: {
    user: ACCOUNT,
    full_name: 'The new name that people see',
    role: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. Owners give and end 100, which the only owner keeps. A guest becomes a member or moderator first',
    profile_data:
      'Values of custom profile fields: objects with the `id` of the field and its `value`, a text or, for a field of people, a list of user ids. An empty value removes it. At most 100',
    new_email: 'The new address, which counts at once. For owners with the permission `can_change_user_emails`',
  },
};

const DEACTIVATE_OWN: Description = {
  summary: 'Deactivate your own account.',
  text: 'Your bots are deactivated, too. Refused for bots, for the only owner and for the only person.',
};

const DEACTIVATE: Description = {
  summary: 'Deactivate the account of a person, and the bots of that person.',
  text: 'For administrators; only owners deactivate owners, but never the only one. After the answer, no process accepts the keys of the account. To deactivate it again changes nothing.',
  parameters: {
    user: 'The id of the account of a person',
    deactivation_notification_comment:
      'A comment for the mail that tells the person, at most 2,000 characters; empty: a mail without a comment. null, the default: no mail',
  },
};

const REACTIVATE: Description = {
  summary: 'Reactivate a deactivated account.',
  text: 'For administrators, and for the owner of a bot that is no administrator. Only owners reactivate owners. The keys of the account are valid again. A bot whose owner is deactivated gets the caller as its owner.',
};

const FETCH_KEY: Description = {
  summary: 'Get an API key for an address and a password.',
  text: 'Each login gets a key of its own, which no other answer shows. A key that is not used for `ANNALS_API_KEY_IDLE_DAYS` ends. Failed logins are limited, by the address of the account and by where they come from.',
  parameters: { username: 'The address of the account, in any case', password: 'The password of the account' },
};

const BEGIN_SESSION: Description = {
  id: 'begin-session',
  tag: 'authentication',
  summary: 'Log in in a browser, for an address and a password.',
  text: 'As `POST /fetch_api_key`, but the key is in the cookie `annals_session`, which no script can read, and in no answer. Requests of pages of this server are authenticated by it where they have no `Authorization`. It ends with the key, and after `ANNALS_API_KEY_IDLE_DAYS` or 400 days. Pages of other sites are refused with 403 `CROSS_SITE`.',
  parameters: { username: 'The address of the account, in any case', password: 'The password of the account' },
  answer: { user_id: whole, email: { ...text, description: 'The address of the account' } },
};

const END_SESSION: Description = {
  id: 'end-session',
  tag: 'authentication',
  summary: 'Log out in a browser.',
  text: 'Ends the key in the cookie `annals_session`, and removes the cookie. Without one, it changes nothing. Pages of other sites are refused with 403 `CROSS_SITE`.',
  answer: {},
};

const KEYS_ANSWER = {
  api_keys: {
    ...listOf(
      objectOf({
        id: { ...text, description: 'Names the key when it is to end' },
        client: { ...text, description: 'The client program that logged in' },
        created_at: { ...whole, description: 'Seconds since 1970' },
        last_used_at: { ...wholeOrNull, description: 'Seconds since 1970, exact to the hour; null: not known' },
        is_current: { ...yesOrNo, description: 'Whether this request used the key' },
      }),
    ),
    description: 'In the order in which they were made',
  },
};

const KEYS: Description = {
  id: 'get-own-api-keys',
  tag: 'users',
  summary: 'List your API keys, one for each login.',
  text: 'The keys themselves are not shown: the server has no more than their hashes.',
  answer: KEYS_ANSWER,
};

const END_KEY: Description = {
  id: 'end-own-api-key',
  tag: 'users',
  summary: 'End one of your API keys, and so a login.',
  text: 'The key of this request may be ended, too. The link to a new address that you have asked for ends with it.',
  parameters: { key_id: 'The `id` of the key in `GET /users/me/api_keys`' },
  answer: {},
};

const OTHERS_KEYS: Description = {
  id: 'get-api-keys-of-user',
  tag: 'users',
  summary: 'List the API keys of another account, one for each login. For administrators; those of owners for owners.',
  text: 'The keys themselves are not shown: the server has no more than their hashes.',
  parameters: { user_id: 'The account' },
  answer: KEYS_ANSWER,
};

const END_OTHERS_KEY: Description = {
  id: 'end-api-key-of-user',
  tag: 'users',
  summary: 'End an API key of another account, and so a login. For administrators; those of owners for owners.',
  text: 'The link to a new address that was asked for with it ends, too.',
  parameters: { user_id: 'The account', key_id: 'The `id` of the key in `GET /users/{user_id}/api_keys`' },
  answer: {},
};

const REGENERATE_KEYS: Description = {
  id: 'regenerate-own-api-key',
  tag: 'users',
  summary: 'Replace all of your API keys with a new one.',
  text: 'For people. All other logins end, and so do links to a new address or a new password. No other answer shows the key. A repeated request makes another key.',
  answer: { api_key: { ...text, description: 'The new key' } },
};

export const descriptions: Descriptions = {
  'GET /users': LIST,
  'POST /users': CREATE,
  'GET /users/me': OWN,
  'GET /users/{user}': ONE,
  'PATCH /users/{user}': UPDATE,
  'DELETE /users/me': DEACTIVATE_OWN,
  'DELETE /users/{user_id}': DEACTIVATE,
  'POST /users/{user_id}/reactivate': REACTIVATE,
  'POST /fetch_api_key': FETCH_KEY,
  'POST /session': BEGIN_SESSION,
  'DELETE /session': END_SESSION,
  'GET /users/me/api_keys': KEYS,
  'DELETE /users/me/api_keys/{key_id}': END_KEY,
  'GET /users/{user_id}/api_keys': OTHERS_KEYS,
  'DELETE /users/{user_id}/api_keys/{key_id}': END_OTHERS_KEY,
  'POST /users/me/api_key/regenerate': REGENERATE_KEYS,
  ...botDescriptions,
};
