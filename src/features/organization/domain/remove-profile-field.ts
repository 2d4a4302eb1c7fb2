import type { ProfileFieldRemoved } from '../../../events/organization/organization.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

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
