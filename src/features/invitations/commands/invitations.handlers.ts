import { Directory } from '../../../directory/directory.js';
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
import { invitationsStream } from './invitations-stream.js';
import { managerFacts } from './inviter-facts.js';

const stream = invitationsStream;
const facts = ({ by }: RevokeInvitation | RevokeInvitationLink | ResendInvitation, directory: Directory) => ({
  ...managerFacts(by, directory),
  now: Date.now(),
});

export const invitationHandlers = [
  decidesOn(RevokeInvitation, { stream, decide: decideRevokeInvitation, uses: Directory, facts }),
  decidesOn(RevokeInvitationLink, { stream, decide: decideRevokeInvitationLink, uses: Directory, facts }),
  decidesOn(ResendInvitation, { stream, decide: decideResendInvitation, uses: Directory, facts }),
  decidesOn(ExpireInvitations, {
    stream,
    decide: decideExpireInvitations,
    facts: () => ({ now: Date.now() }),
  }),
];
