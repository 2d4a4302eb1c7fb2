import { decidesOn } from '../../../platform/commands/decides-on.js';
import { decideExpireInvitations, ExpireInvitations } from '../domain/end-invitations.js';
import {
  decideResendInvitation,
  decideRevokeInvitation,
  decideRevokeInvitationLink,
  ResendInvitation,
  RevokeInvitation,
  RevokeInvitationLink,
} from '../domain/manage-invitation.js';
import { InvitationFacts } from './invitation-facts.js';
import { invitationsStream } from './invitations-stream.js';

const stream = invitationsStream;
const uses = InvitationFacts;
const facts = ({ by }: RevokeInvitation | RevokeInvitationLink | ResendInvitation, source: InvitationFacts) =>
  source.of(by);

export const invitationHandlers = [
  decidesOn(RevokeInvitation, { stream, decide: decideRevokeInvitation, uses, facts }),
  decidesOn(RevokeInvitationLink, { stream, decide: decideRevokeInvitationLink, uses, facts }),
  decidesOn(ResendInvitation, { stream, decide: decideResendInvitation, uses, facts }),
  decidesOn(ExpireInvitations, {
    stream,
    decide: decideExpireInvitations,
    facts: () => ({ now: Date.now() }),
  }),
];
