import type {
  ProfileFieldChanged,
  ProfileFieldCreated,
  ProfileFieldRemoved,
  ProfileFieldsReordered,
} from '../../../events/organization/organization.events.js';
import {
  EXTERNAL_ACCOUNTS,
  PROFILE_FIELD_TYPES,
  type ProfileField,
} from '../../../events/organization/organization.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { Json, JsonObject } from '../../../platform/kernel/json.js';
import { type Administration, existing, newOrder, type OrganizationState } from './organization.js';

/** Maximum length of a field's data as JSON text. */
const MAX_FIELD_DATA = 20_000;

type ExternalAccount = keyof typeof EXTERNAL_ACCOUNTS;

/**
 * Checks the data of a field: the options of a choice, or the kind of an external account. Gives an empty text for other
 * types. Refuses data of another form.
 */
function checkedFieldData(type: number, data: JsonObject): string {
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
function knownAccount(type: number, fieldData: string): ExternalAccount | null {
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

export interface ProfileFieldDraft extends Omit<ProfileField, 'id' | 'fieldData'> {
  readonly data: JsonObject;
}

const MAX_NAME = 40;
const MAX_HINT = 80;
const MAX_IN_SUMMARY = 2;

/** Types that the profile summary cannot show: they are too long, or clients do not understand them. */
const NOT_IN_SUMMARY: readonly number[] = [PROFILE_FIELD_TYPES.LONG_TEXT.id, PROFILE_FIELD_TYPES.USER.id];

const TYPES: readonly number[] = Object.values(PROFILE_FIELD_TYPES).map(({ id }) => id);

/**
 * Checks a profile field, and gives its stored form. Refuses an invalid field.
 * @param others the organization's other fields
 */
function checkedProfileField(
  { data, ...draft }: ProfileFieldDraft,
  others: readonly ProfileField[],
): Omit<ProfileField, 'id'> {
  if (!TYPES.includes(draft.type)) refuse('FIELD_TYPE_INVALID');
  const fieldData = checkedFieldData(draft.type, data);
  const account = knownAccount(draft.type, fieldData);
  const known = account === null ? null : EXTERNAL_ACCOUNTS[account];
  const name = known?.name ?? draft.name.trim();
  const hint = known?.hint ?? draft.hint;
  if (name === '') refuse('FIELD_NAME_EMPTY');
  if ([...name].length > MAX_NAME) refuse('FIELD_NAME_TOO_LONG', { limit: MAX_NAME });
  if ([...hint].length > MAX_HINT) refuse('FIELD_HINT_TOO_LONG', { limit: MAX_HINT });
  if (draft.displayInProfileSummary) requirePlaceInSummary(draft.type, others);
  if (others.some((other) => other.name === name)) refuse('FIELD_NAME_TAKEN');
  return {
    name,
    hint,
    type: draft.type,
    displayInProfileSummary: draft.displayInProfileSummary,
    required: draft.required,
    editableByUser: draft.editableByUser,
    useForUserMatching: draft.useForUserMatching,
    fieldData,
  };
}

function requirePlaceInSummary(type: number, others: readonly ProfileField[]): void {
  if (NOT_IN_SUMMARY.includes(type)) refuse('FIELD_TYPE_NOT_IN_SUMMARY');
  const shown = others.filter(({ displayInProfileSummary }) => displayInProfileSummary).length;
  if (shown >= MAX_IN_SUMMARY) refuse('SUMMARY_IS_FULL', { limit: MAX_IN_SUMMARY });
}

export class CreateProfileField extends Command<{ field: ProfileFieldDraft }, number> {}

export const decideCreateProfileField: Decide<
  CreateProfileField,
  OrganizationState,
  ProfileFieldCreated,
  Administration
> = ({ field }, state, { mayAdminister }) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const { profileFields, lastIds } = existing(state);
  const checked = checkedProfileField(field, profileFields);
  return [{ type: 'ProfileFieldCreated', data: { field: { id: lastIds.profileField + 1, ...checked } } }];
};

export class ChangeProfileField extends Command<{
  fieldId: number;
  /** Absent fields stay unchanged. The type cannot change: users have filled in values. */
  changes: Partial<Omit<ProfileFieldDraft, 'type'>>;
}> {}

export const decideChangeProfileField: Decide<
  ChangeProfileField,
  OrganizationState,
  ProfileFieldChanged,
  Administration
> = ({ fieldId, changes }, state, { mayAdminister }) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const { profileFields } = existing(state);
  const from = profileFields.find(({ id }) => id === fieldId) ?? refuse('FIELD_NOT_FOUND', { id: fieldId });
  if (knownAccount(from.type, from.fieldData) !== null) requireSameAccount(from, changes);
  const { id, fieldData, ...rest } = from;
  const data = fieldData === '' ? {} : (JSON.parse(fieldData) as JsonObject);
  const others = profileFields.filter((other) => other !== from);
  const to = { id, ...checkedProfileField({ ...rest, data, ...changes }, others) };
  if (isSame(from, to)) return [];
  return [{ type: 'ProfileFieldChanged', data: { from, to } }];
};

/** Refuses changes of the name, hint or address of a known external account. */
function requireSameAccount(field: ProfileField, { name, hint, data }: ChangeProfileField['changes']): void {
  const isOther =
    (name !== undefined && name.trim() !== field.name) ||
    (hint !== undefined && hint !== field.hint) ||
    (data !== undefined && JSON.stringify(data) !== field.fieldData);
  if (isOther) refuse('DEFAULT_FIELD_FIXED');
}

const isSame = (a: ProfileField, b: ProfileField): boolean =>
  (Object.keys(a) as (keyof ProfileField)[]).every((key) => a[key] === b[key]);

/** Removes a profile field. Its values are no longer shown, and its id is not used again. */
export class RemoveProfileField extends Command<{ fieldId: number }> {}

export const decideRemoveProfileField: Decide<
  RemoveProfileField,
  OrganizationState,
  ProfileFieldRemoved,
  Administration
> = ({ fieldId }, state, { mayAdminister }) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const { profileFields } = existing(state);
  const field = profileFields.find(({ id }) => id === fieldId) ?? refuse('FIELD_NOT_FOUND', { id: fieldId });
  return [{ type: 'ProfileFieldRemoved', data: { field } }];
};

export class ReorderProfileFields extends Command<{
  /** Ids of all fields, in the new order of display. */
  order: readonly number[];
}> {}

export const decideReorderProfileFields: Decide<
  ReorderProfileFields,
  OrganizationState,
  ProfileFieldsReordered,
  Administration
> = ({ order }, state, { mayAdminister }) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const change = newOrder(existing(state).profileFields, order);
  if (change === 'invalid') return refuse('FIELD_ORDER_INVALID');
  if (change === 'same') return [];
  return [{ type: 'ProfileFieldsReordered', data: { from: change.from, to: change.to } }];
};
