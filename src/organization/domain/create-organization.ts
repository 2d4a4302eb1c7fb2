import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide, Decider } from '../../kernel/decider.js';
import type { OrganizationCreated, OrganizationEvent } from './organization.events.js';

export type OrganizationState = { readonly status: 'absent' } | { readonly status: 'created' };

export const organization: Decider<OrganizationState, OrganizationEvent> = {
  initialState: { status: 'absent' },
  evolve: (_state, event) => {
    switch (event.type) {
      case 'OrganizationCreated':
        return { status: 'created' };
      default:
        return _state;
    }
  },
};

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
