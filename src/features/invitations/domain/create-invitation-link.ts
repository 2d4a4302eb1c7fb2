import type { InvitationLinkCreated, InvitationTerms } from '../../../events/invitations/invitations.events.js';
import { Command, type Decide } from '../../../platform/kernel/deciding.js';
import { type InviterFacts, requireInviter, requireTerms } from './invitation-terms.js';
import type { InvitationsState } from './invitations.state.js';
import type { LinkFacts } from './send-invitations.js';

/** Makes a link that many may use. The result is the name of its key. */
export class CreateInvitationLink extends Command<
  {
    inviterId: number;
    terms: InvitationTerms;
    options: {
      /** Milliseconds since 1970; null: never. */
      readonly expiresAt: number | null;
      readonly welcomeText: string | null;
    };
  },
  string
> {}

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
