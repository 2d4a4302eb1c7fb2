import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { checkLinkifier, type LinkifierDraft } from './linkifier-rules.js';
import type { LinkifierAdded } from './organization.events.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class AddLinkifier {
  constructor(
    readonly linkifier: LinkifierDraft,
    readonly by: CommandContext,
  ) {}
}

export const decideAddLinkifier: Decide<AddLinkifier, OrganizationState, LinkifierAdded, Administration> = (
  { linkifier },
  state,
  { mayAdminister },
) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const { linkifiers, lastIds } = existing(state);
  checkLinkifier(linkifier, linkifiers);
  const id = lastIds.linkifier + 1;
  return [{ type: 'LinkifierAdded', data: { linkifier: { id, ...linkifier } } }];
};
