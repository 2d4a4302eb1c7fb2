import type { ProfileFieldCreated } from '../../../events/organization/organization.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';
import { checkedProfileField, type ProfileFieldDraft } from './profile-field-rules.js';

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
