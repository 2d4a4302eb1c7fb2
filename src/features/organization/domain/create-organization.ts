import type { OrganizationCreated } from '../../../events/organization/organization.events.js';
import { Command, type Decide } from '../../../platform/kernel/deciding.js';
import type { OrganizationState } from './organization.state.js';

export class CreateOrganization extends Command<{ name: string }> {}

export const decideCreateOrganization: Decide<CreateOrganization, OrganizationState, OrganizationCreated> = (
  { name },
  state,
) => {
  if (state.status === 'created') return [];
  return [{ type: 'OrganizationCreated', data: { name } }];
};
