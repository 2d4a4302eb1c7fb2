import type { ProfileFieldCreated } from '../../../events/organization/organization.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';
import { checkedProfileField, type ProfileFieldDraft } from './profile-field-rules.js';

export class CreateProfileField extends Command<number> {
  constructor(
    readonly field: ProfileFieldDraft,
    readonly by: CommandContext,
  ) {
    super();
  }
}

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
