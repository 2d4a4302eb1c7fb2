import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import type { OrganizationCreated } from './organization.events.js';
import type { OrganizationState } from './organization.state.js';

export class CreateOrganization {
  constructor(
    readonly name: string,
    readonly by: CommandContext,
  ) {}
}

export const decideCreateOrganization: Decide<CreateOrganization, OrganizationState, OrganizationCreated> = (
  { name },
  state,
) => {
  if (state.status === 'created') return [];
  return [{ type: 'OrganizationCreated', data: { name } }];
};
