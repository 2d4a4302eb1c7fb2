import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';

/** Refusals of changes to the organization. */
export const organizationRefusals = {
  REALM_NAME_EMPTY: badRequest('Organization name cannot be blank'),
  FIELD_NOT_FOUND: badRequest('Field id {id} not found.'),
  FIELD_TYPE_INVALID: badRequest('Invalid field type.'),
  FIELD_NAME_EMPTY: badRequest('Label cannot be blank.'),
  FIELD_NAME_TOO_LONG: badRequest('name is too long (limit: {limit} characters)'),
  FIELD_NAME_TAKEN: badRequest('A field with that label already exists.'),
  FIELD_HINT_TOO_LONG: badRequest('hint is too long (limit: {limit} characters)'),
  FIELD_DATA_INVALID: badRequest('field_data is not of the form that this field type needs'),
  FIELD_DATA_TOO_LONG: badRequest('field_data is too long (limit: {limit} characters)'),
  FIELD_NEEDS_CHOICES: badRequest('Field must have at least one choice.'),
  FIELD_CHOICE_WITHOUT_VALUE: badRequest("'value' cannot be blank."),
  FIELD_CHOICES_ALIKE: badRequest('Field must not have duplicate choices.'),
  EXTERNAL_ACCOUNT_UNKNOWN: badRequest('Invalid external account type'),
  EXTERNAL_ACCOUNT_NEEDS_PATTERN: badRequest('Custom external account must define URL pattern'),
  FIELD_URL_PATTERN_INVALID: badRequest("URL pattern must be a URL that contains '%(username)s' once."),
  FIELD_TYPE_NOT_IN_SUMMARY: badRequest('Field type not supported for display in profile summary.'),
  SUMMARY_IS_FULL: badRequest('Only {limit} custom profile fields can be displayed in the profile summary.'),
  DEFAULT_FIELD_FIXED: badRequest('Default custom field cannot be updated.'),
  FIELD_ORDER_INVALID: badRequest('Invalid order mapping.'),
  LINKIFIER_NOT_FOUND: badRequest('Linkifier not found.'),
  LINKIFIER_PATTERN_INVALID: badRequest('Bad regular expression: {reason}'),
  LINKIFIER_PATTERN_TAKEN: badRequest('A linkifier with this pattern already exists.'),
  LINKIFIER_ORDER_INVALID: badRequest('The ordered list must enumerate all existing linkifiers exactly once'),
  INVALID_URL_TEMPLATE: badRequest('Invalid URL template.'),
  TOO_MANY_URL_TEMPLATES: badRequest('Too many alternative URL templates (limit: {limit})'),
  TEMPLATE_GROUP_UNKNOWN: badRequest("Group '{name}' in URL template is not present in linkifier pattern."),
  PATTERN_GROUP_UNUSED: badRequest("Group '{name}' in linkifier pattern is not present in URL template."),
  EXAMPLE_TOO_LONG: badRequest('example_input is too long (limit: {limit} characters)'),
  EXAMPLE_DOES_NOT_MATCH: badRequest('Example input does not match the linkifier pattern.'),
  REVERSE_NEEDS_EXAMPLE: badRequest('A reverse template needs an example input.'),
  INVALID_REVERSE_TEMPLATE: badRequest('Invalid reverse template.'),
  REVERSE_DOES_NOT_MATCH: badRequest('The reverse template does not lead back to the example input.'),
  PLAYGROUND_NOT_FOUND: badRequest('Invalid playground'),
  PLAYGROUND_NAME_EMPTY: badRequest('Playground name cannot be blank.'),
  PLAYGROUND_LANGUAGE_INVALID: badRequest('Invalid characters in pygments language'),
  PLAYGROUND_NEEDS_CODE: badRequest('Missing the required variable "code" in the URL template'),
  PLAYGROUND_ONLY_CODE: badRequest('"code" should be the only variable present in the URL template'),
  PLAYGROUND_EXISTS: badRequest('A playground with this name and language already exists.'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof organizationRefusals> {}
}
