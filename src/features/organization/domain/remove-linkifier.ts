import type { LinkifierRemoved } from '../../../events/organization/organization.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class RemoveLinkifier extends Command<void> {
  constructor(
    readonly linkifierId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
}

export const decideRemoveLinkifier: Decide<RemoveLinkifier, OrganizationState, LinkifierRemoved, Administration> = (
  { linkifierId },
  state,
  { mayAdminister },
) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const linkifier = existing(state).linkifiers.find(({ id }) => id === linkifierId) ?? refuse('LINKIFIER_NOT_FOUND');
  return [{ type: 'LinkifierRemoved', data: { linkifier } }];
};
