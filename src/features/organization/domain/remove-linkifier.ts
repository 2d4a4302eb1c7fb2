import type { LinkifierRemoved } from '../../../events/organization/organization.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class RemoveLinkifier extends Command<{ linkifierId: number }> {}

export const decideRemoveLinkifier: Decide<RemoveLinkifier, OrganizationState, LinkifierRemoved, Administration> = (
  { linkifierId },
  state,
  { mayAdminister },
) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const linkifier = existing(state).linkifiers.find(({ id }) => id === linkifierId) ?? refuse('LINKIFIER_NOT_FOUND');
  return [{ type: 'LinkifierRemoved', data: { linkifier } }];
};
