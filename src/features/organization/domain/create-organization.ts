import type { OrganizationCreated } from '../../../events/organization/organization.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import type { OrganizationState } from './organization.state.js';

export class CreateOrganization extends Command<void> {
  constructor(
    readonly name: string,
    readonly by: CommandContext,
  ) {
    super();
  }
}

export const decideCreateOrganization: Decide<CreateOrganization, OrganizationState, OrganizationCreated> = (
  { name },
  state,
) => {
  if (state.status === 'created') return [];
  return [{ type: 'OrganizationCreated', data: { name } }];
};
