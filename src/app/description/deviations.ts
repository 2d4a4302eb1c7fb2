import type { Schema } from '../../platform/http/openapi/schema.js';

/**
 * Where this server answers otherwise than the published description, and why. One list: a difference that is not
 * here fails the specs.
 */
export type Deviation =
  | {
      /** A property beyond the published ones. */
      readonly kind: 'property';
      /** `event message`, `POST /messages 200`: whose. */
      readonly of: string;
      /** Names from there down to the property; `*` steps into a list's items or a map's values. */
      readonly path: readonly string[];
      /** JSON Schema of its value. */
      readonly schema: Schema;
      readonly reason: string;
    }
  | {
      /** A kind of client event beyond the published ones. */
      readonly kind: 'event';
      /** `type` or `type/op`. */
      readonly name: string;
      /** JSON Schema of the whole event. */
      readonly schema: Schema;
      readonly reason: string;
    }
  | { readonly kind: 'status'; readonly code: string; readonly status: number; readonly reason: string }
  | { readonly kind: 'unpublished'; readonly operation: string; readonly reason: string };

const LATER_LINKIFIERS: Readonly<Record<string, Schema>> = {
  example_input: { type: 'string' },
  reverse_template: { type: 'string' },
  alternative_url_templates: { type: 'array', items: { type: 'string' } },
};

const MOVABLE =
  'the API gives these fields to the error, and so does its published example; the published schema does not';

export const deviations: readonly Deviation[] = [
  {
    kind: 'property',
    of: 'event message',
    path: ['local_id'],
    schema: { type: 'string' },
    reason: 'the API passes local_id back to the queue it came with; the published event has no such field',
  },
  {
    kind: 'property',
    of: 'event message',
    path: ['local_message_id'],
    schema: { type: 'string' },
    reason: 'the name under which real clients look for their local_id',
  },
  {
    kind: 'property',
    of: 'error BAD_NARROW',
    path: ['desc'],
    schema: { type: 'string' },
    reason: 'the published errors leave this code out; servers of this API say with it what is wrong with the narrow',
  },
  {
    kind: 'property',
    of: 'error MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    path: ['first_message_id_allowed_to_move'],
    schema: { type: ['integer', 'null'] },
    reason: MOVABLE,
  },
  {
    kind: 'property',
    of: 'error MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    path: ['total_messages_allowed_to_move'],
    schema: { type: 'integer' },
    reason: MOVABLE,
  },
  {
    kind: 'property',
    of: 'error MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    path: ['total_messages_in_topic'],
    schema: { type: 'integer' },
    reason: MOVABLE,
  },
  ...['bot_type', 'bot_owner_id'].map(
    (name): Deviation => ({
      kind: 'property',
      of: 'GET /users/me 200',
      path: [name],
      schema: { type: ['integer', 'null'] },
      reason: 'bots learn of themselves what `GET /users/{user_id}` says of them',
    }),
  ),
  {
    kind: 'property',
    of: 'GET /invites 200',
    path: ['invites', '*', 'problem'],
    schema: { type: 'string', enum: ['inviter_may_not_invite', 'mail_refused'] },
    reason: 'inviters see why an invitation does not work or did not arrive; told only where something is wrong',
  },
  {
    kind: 'status',
    code: 'BAD_REQUEST',
    status: 502,
    reason: 'servers of this API answer so if a test notification cannot be sent; it is published without a status',
  },
  {
    kind: 'status',
    code: 'INVALID_API_KEY',
    status: 401,
    reason: 'published under 400; servers of this API answer 401, which is what the code means',
  },
  {
    kind: 'property',
    of: 'error CANNOT_DEACTIVATE_GROUP_IN_USE',
    path: ['objections'],
    schema: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', required: ['type'], properties: { type: { type: 'string' } } },
    },
    reason: "the published example of this error has them, the error's schema has not",
  },
  {
    kind: 'unpublished',
    operation: 'DELETE /user_groups/{user_group_id}',
    reason: 'what groups were removed with before they could be deactivated; the Python client still calls it',
  },
  {
    kind: 'unpublished',
    operation: 'GET /default_streams',
    reason: 'the list that is added to and removed from under this path',
  },
  ...['POST /bots', 'GET /bots', 'PATCH /bots/{bot_id}', 'DELETE /bots/{bot_id}'].map(
    (operation): Deviation => ({
      kind: 'unpublished',
      operation,
      reason: 'what clients of this API call to keep bots; the description has only the events that tell of them',
    }),
  ),
  ...['POST /bots/{bot_id}/api_key/regenerate', 'POST /users/me/api_key/regenerate'].map(
    (operation): Deviation => ({
      kind: 'unpublished',
      operation,
      reason: 'what clients of this API call to replace a key that others may know',
    }),
  ),
  ...['GET /users/me/api_keys', 'DELETE /users/me/api_keys/{key_id}'].map(
    (operation): Deviation => ({
      kind: 'unpublished',
      operation,
      reason: 'each login has a key of its own here, so people can see their logins and end them',
    }),
  ),
  ...['GET /users/{user_id}/api_keys', 'DELETE /users/{user_id}/api_keys/{key_id}'].map(
    (operation): Deviation => ({
      kind: 'unpublished',
      operation,
      reason: 'each login has a key of its own here, so administrators can end the login of a lost device',
    }),
  ),
  ...['POST /session', 'DELETE /session'].map(
    (operation): Deviation => ({
      kind: 'unpublished',
      operation,
      reason: 'a page of this server logs in by them: its key is in a cookie that no script can read',
    }),
  ),
  { kind: 'unpublished', operation: 'GET /audit/events', reason: 'an extension: people can ask who changed what' },
  {
    kind: 'unpublished',
    operation: 'GET /audit/message',
    reason: 'an extension: people can ask what a message was on a date',
  },
  {
    kind: 'unpublished',
    operation: 'GET /permissions/why',
    reason: 'an extension: administrators can ask which setting decides',
  },
  { kind: 'unpublished', operation: 'GET /audit/proof', reason: 'an extension: docs/proof.md' },
  { kind: 'unpublished', operation: 'GET /audit/activity', reason: 'an extension: docs/audit.md' },
  { kind: 'unpublished', operation: 'GET /audit/auditors', reason: 'an extension: docs/audit.md' },
  { kind: 'unpublished', operation: 'GET /health', reason: 'an extension: docs/operations.md' },
  {
    kind: 'unpublished',
    operation: 'POST /projections/{projection}/rebuild',
    reason: 'an extension: docs/operations.md',
  },
  ...['GET /bot_storage', 'PUT /bot_storage', 'DELETE /bot_storage'].map(
    (operation): Deviation => ({
      kind: 'unpublished',
      operation,
      reason: 'where bots of this API keep their state; the description leaves it out',
    }),
  ),
  ...['GET /users/me/push_devices', 'DELETE /users/me/push_devices/{device_id}'].map(
    (operation): Deviation => ({
      kind: 'unpublished',
      operation,
      reason: 'people can see which devices get their messages and remove those that are not theirs',
    }),
  ),
  ...['PATCH /settings/display', 'PATCH /settings/notifications'].map(
    (operation): Deviation => ({
      kind: 'unpublished',
      operation,
      reason: 'deprecated names of PATCH /settings, which its description speaks of and does not list',
    }),
  ),
  ...['POST /users/me/avatar', 'DELETE /users/me/avatar'].map(
    (operation): Deviation => ({
      kind: 'unpublished',
      operation,
      reason: 'what clients of this API call to change an avatar; the description has only the events that tell of it',
    }),
  ),
  ...['POST', 'DELETE', 'GET'].flatMap((method) =>
    ['icon', 'logo'].map(
      (picture): Deviation => ({
        kind: 'unpublished',
        operation: `${method} /realm/${picture}`,
        reason:
          'what clients of this API call for the pictures of an organization; the description has only events and URLs',
      }),
    ),
  ),
  {
    kind: 'unpublished',
    operation: 'POST /external/{integration}',
    reason: 'what services call that post as an incoming webhook bot; the description names only their bots',
  },
  ...['GET /openapi.json', 'GET /asyncapi.json'].map(
    (operation): Deviation => ({ kind: 'unpublished', operation, reason: "this server's own description" }),
  ),
  {
    kind: 'unpublished',
    operation: 'PATCH /realm',
    reason: 'what clients of this API call to change the settings of an organization; the description leaves it out',
  },
  {
    kind: 'unpublished',
    operation: 'PATCH /realm/profile_fields/{field_id}',
    reason: 'the description names only the writes on the whole list',
  },
  {
    kind: 'unpublished',
    operation: 'DELETE /realm/profile_fields/{field_id}',
    reason: 'the description names only the writes on the whole list',
  },
  ...['reminder_id', 'reminder_target_message_id'].map(
    (name): Deviation => ({
      kind: 'property',
      of: 'POST /register 200',
      path: ['reminders', '*', name],
      schema: { type: 'integer' },
      reason: 'clients look for the fields of a reminder, which GET /reminders and the event have; the part has not',
    }),
  ),
  {
    kind: 'property',
    of: 'event realm/update_dict',
    path: ['data', 'allow_edit_history'],
    schema: { type: 'boolean' },
    reason:
      'the published register response has it, and clients that know nothing else of edit histories would keep its old value',
  },
  ...later(LATER_LINKIFIERS, [
    ['event realm_linkifiers', 'realm_linkifiers'],
    ['GET /realm/linkifiers 200', 'linkifiers'],
    ['POST /register 200', 'realm_linkifiers'],
  ]),
  ...later({ use_for_user_matching: { type: 'boolean' } }, [
    ['event custom_profile_fields', 'fields'],
    ['GET /realm/profile_fields 200', 'custom_fields'],
    ['POST /register 200', 'custom_profile_fields'],
  ]),
];

/** Properties of a list's items that servers of this API have since, wherever the list is told. */
function later(
  properties: Readonly<Record<string, Schema>>,
  lists: readonly (readonly [of: string, list: string])[],
): Deviation[] {
  const reason = 'later servers of this API have it; only told where somebody has set it';
  return lists.flatMap(([of, list]) =>
    Object.entries(properties).map(
      ([name, schema]): Deviation => ({ kind: 'property', of, path: [list, '*', name], schema, reason }),
    ),
  );
}
