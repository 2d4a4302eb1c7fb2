import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { LinkifierRemoved } from './organization.events.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class RemoveLinkifier {
  constructor(
    readonly linkifierId: number,
    readonly by: CommandContext,
  ) {}
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
