import type { ProfileFieldChanged } from '../../../events/organization/organization.events.js';
import type { ProfileField } from '../../../events/organization/organization.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { JsonObject } from '../../../platform/kernel/json.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';
import { knownAccount } from './profile-field-data.js';
import { checkedProfileField, type ProfileFieldDraft } from './profile-field-rules.js';

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
