import type { LinkifierAdded } from '../../../events/organization/organization.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { checkLinkifier, type LinkifierDraft, numbered } from './linkifier-rules.js';
import { type Administration, existing, type OrganizationState } from './organization.state.js';

export class AddLinkifier extends Command<number> {
  constructor(
    readonly linkifier: LinkifierDraft,
    readonly by: CommandContext,
  ) {
    super();
  }
}

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
