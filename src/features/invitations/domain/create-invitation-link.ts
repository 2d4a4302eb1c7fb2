import type { InvitationLinkCreated, InvitationTerms } from '../../../events/invitations/invitations.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { type InviterFacts, requireInviter, requireTerms } from './invitation-terms.js';
import type { InvitationsState } from './invitations.state.js';
import type { LinkFacts } from './send-invitations.js';

/** Makes a link that many may use. The result is the name of its key. */
export class CreateInvitationLink extends Command<string> {
  constructor(
    readonly inviterId: number,
    readonly terms: InvitationTerms,
    readonly options: {
      /** Milliseconds since 1970; null: never. */
      readonly expiresAt: number | null;
      readonly welcomeText: string | null;
    },
    readonly by: CommandContext,
  ) {
    super();
  }
}

export interface CreateInvitationLinkFacts extends InviterFacts {
  readonly link: LinkFacts;
}

export const decideCreateInvitationLink: Decide<
  CreateInvitationLink,
  InvitationsState,
  InvitationLinkCreated,
  CreateInvitationLinkFacts
> = ({ inviterId, terms, options }, { lastId }, facts) => {
  requireInviter(terms.role, facts);
  requireTerms(terms, options.welcomeText, facts);
  const { keyId, tokenHash } = facts.link;
  return [
    {
      type: 'InvitationLinkCreated',
      data: {
        invitationId: lastId + 1,
        inviterId,
        keyId,
        tokenHash,
        terms,
        expiresAt: options.expiresAt,
        welcome: { text: options.welcomeText },
      },
    },
  ];
};
