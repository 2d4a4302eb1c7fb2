import { EXTERNAL_ACCOUNTS, PROFILE_FIELD_TYPES } from '../../../events/organization/organization.settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { Json, JsonObject } from '../../../platform/kernel/json.js';

/** Maximum length of a field's data as JSON text. */
const MAX_FIELD_DATA = 20_000;

export type ExternalAccount = keyof typeof EXTERNAL_ACCOUNTS;

/**
 * Checks the data of a field: the options of a choice, or the kind of an external account. Gives an empty text for other
 * types. Refuses data of another form.
 */
export function checkedFieldData(type: number, data: JsonObject): string {
  switch (type) {
    case PROFILE_FIELD_TYPES.SELECT.id:
      requireOptions(data);
      break;
    case PROFILE_FIELD_TYPES.EXTERNAL_ACCOUNT.id:
      requireAccount(data);
      break;
    default:
      return '';
  }
  const text = JSON.stringify(data);
  if (text.length > MAX_FIELD_DATA) refuse('FIELD_DATA_TOO_LONG', { limit: MAX_FIELD_DATA });
  return text;
}

/** Finds the known external account of a field, which has a fixed name and address; null for other fields. */
export function knownAccount(type: number, fieldData: string): ExternalAccount | null {
  if (type !== PROFILE_FIELD_TYPES.EXTERNAL_ACCOUNT.id) return null;
  const { subtype } = JSON.parse(fieldData) as { readonly subtype: string };
  return isKnown(subtype) ? subtype : null;
}

const isKnown = (subtype: Json | undefined): subtype is ExternalAccount =>
  typeof subtype === 'string' && Object.hasOwn(EXTERNAL_ACCOUNTS, subtype);

/** `{"0": {"text": "Vim", "order": "1"}, …}` */
function requireOptions(data: JsonObject): void {
  const options = Object.entries(data);
  if (options.length === 0) refuse('FIELD_NEEDS_CHOICES');
  const texts = options.map(([key, option]) => {
    if (key.trim() === '') refuse('FIELD_CHOICE_WITHOUT_VALUE');
    if (!isObjectOf(option, ['text', 'order'])) return refuse('FIELD_DATA_INVALID');
    if (!isText(option.order) || !isText(option.text)) return refuse('FIELD_DATA_INVALID');
    return option.text;
  });
  if (new Set(texts).size < texts.length) refuse('FIELD_CHOICES_ALIKE');
}

/** `{"subtype": "github"}`, or `{"subtype": "custom", "url_pattern": "https://example.com/%(username)s"}` */
function requireAccount(data: JsonObject): void {
  const { subtype, url_pattern: pattern } = data;
  if (!isObjectOf(data, ['subtype'], ['url_pattern']) || !isText(subtype)) refuse('FIELD_DATA_INVALID');
  if (pattern !== undefined && !isUrlPattern(pattern)) refuse('FIELD_URL_PATTERN_INVALID');
  if (isKnown(subtype)) return;
  if (subtype !== 'custom') refuse('EXTERNAL_ACCOUNT_UNKNOWN');
  if (pattern === undefined) refuse('EXTERNAL_ACCOUNT_NEEDS_PATTERN');
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value.trim() !== '';

function isObjectOf(
  value: Json | undefined,
  keys: readonly string[],
  optional: readonly string[] = [],
): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const known = [...keys, ...optional];
  return keys.every((key) => key in value) && Object.keys(value).every((key) => known.includes(key));
}

const USERNAME = '%(username)s';

function isUrlPattern(pattern: Json): boolean {
  if (typeof pattern !== 'string' || pattern.split(USERNAME).length !== 2) return false;
  const url = pattern.replace(USERNAME, 'username');
  return /^https?:\/\/\S+$/.test(url) && URL.canParse(url);
}
