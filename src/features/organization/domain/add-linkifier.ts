import type { LinkifierAdded } from '../../../events/organization/organization.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { checkLinkifier, type LinkifierDraft, numbered } from './linkifier-rules.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class AddLinkifier extends Command<{ linkifier: LinkifierDraft }, number> {}

export const decideAddLinkifier: Decide<AddLinkifier, OrganizationState, LinkifierAdded, Administration> = (
  { linkifier },
  state,
  { mayAdminister },
) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const { linkifiers, lastIds } = existing(state);
  checkLinkifier(linkifier, linkifiers);
  return [{ type: 'LinkifierAdded', data: { linkifier: numbered(lastIds.linkifier + 1, linkifier) } }];
};
