import {
  EXTERNAL_ACCOUNTS,
  PROFILE_FIELD_TYPES,
  type ProfileField,
} from '../../../events/organization/organization.settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { JsonObject } from '../../../platform/kernel/json.js';
import { checkedFieldData, knownAccount } from './profile-field-data.js';

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
export function checkedProfileField(
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
