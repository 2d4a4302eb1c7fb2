import type {
  InvitationExpired,
  InvitationMailRefused,
  InvitationResent,
  InvitationRevoked,
  RevocationReason,
} from '../../../events/invitations/invitations.events.js';
import { ROLES } from '../../../events/shared/role.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import {
  addressHashOf,
  confirmationsOf,
  type Invitation,
  type InvitationsState,
  isOver,
  isValid,
  pendingOf,
} from './invitations.state.js';
import { type LimitFacts, mailsOfDay, nextMailTo, nextRepeat, refuseUntil, requireFewMails } from './mail-limits.js';

/** Ends a mailed invitation. */
export class RevokeInvitation extends Command<{ invitationId: number }> {}

/** Ends a link for many. */
export class RevokeInvitationLink extends Command<{ invitationId: number }> {}

/** Mails the link of an invitation again. Its expiry stays. */
export class ResendInvitation extends Command<{ invitationId: number }> {}

/** The rights of somebody who manages invitations. */
export interface ManagerFacts {
  /** null: the server itself. */
  readonly managerId: number | null;
  readonly isAdministrator: boolean;
  readonly isOwner: boolean;
}

interface ManageInvitationFacts extends ManagerFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Inviters manage their own invitations, administrators manage all. Only owners manage those of others to owners. */
export const mayManage = (
  { inviterId, terms }: Pick<Invitation, 'inviterId' | 'terms'>,
  { managerId, isAdministrator, isOwner }: ManagerFacts,
): boolean => inviterId === managerId || (terms.role === ROLES.owner ? isOwner : isAdministrator);

export const decideRevokeInvitation: Decide<
  RevokeInvitation,
  InvitationsState,
  InvitationRevoked,
  ManageInvitationFacts
> = ({ invitationId }, state, facts) => {
  return [revocation(validMailed(invitationId, state, facts), 'asked')];
};

export const decideResendInvitation: Decide<
  ResendInvitation,
  InvitationsState,
  InvitationResent,
  ManageInvitationFacts & LimitFacts
> = ({ invitationId }, state, facts) => {
  const { addressHash, resentAt } = validMailed(invitationId, state, facts);
  const day = mailsOfDay(state.mails, facts.now);
  // The first repeat may come at once: somebody waits for a mail that did not arrive.
  const next = nextRepeat(resentAt, facts) ?? nextMailTo(addressHash, day);
  if (next !== null) refuseUntil(next, facts.now);
  requireFewMails(day, 1, facts);
  return [{ type: 'InvitationResent', data: { invitationId } }];
};

export const decideRevokeInvitationLink: Decide<
  RevokeInvitationLink,
  InvitationsState,
  InvitationRevoked,
  ManageInvitationFacts
> = ({ invitationId }, state, facts) => {
  const link = state.byId.get(invitationId);
  if (link?.kind !== 'for many') refuse('INVITATION_NOT_FOUND');
  requireManager(link, facts);
  if (!isValid(link, facts.now)) refuse('INVITATION_LINK_REVOKED');
  const confirmations = confirmationsOf(link.id, state).map((one) => revocation(one, 'link ended'));
  return [revocation(link, 'asked'), ...confirmations];
};

export const revocation = (
  { id: invitationId, inviterId, keyId }: Invitation,
  reason: RevocationReason,
  followedBy = 0,
): InvitationRevoked => ({ type: 'InvitationRevoked', data: { invitationId, inviterId, keyId, reason, followedBy } });

/** Ends links, and says of each how many of its inviter's follow. */
function revocations(ended: readonly Invitation[], reason: RevocationReason): InvitationRevoked[] {
  const left = new Map<number, number>();
  for (const { inviterId } of ended) left.set(inviterId, (left.get(inviterId) ?? 0) + 1);
  return ended.map((invitation) => {
    const followedBy = (left.get(invitation.inviterId) ?? 1) - 1;
    left.set(invitation.inviterId, followedBy);
    return revocation(invitation, reason, followedBy);
  });
}

/** @throws DomainError INVITATION_NOT_FOUND, ADMINISTRATOR_REQUIRED, OWNER_REQUIRED, INVITATION_FINISHED */
function validMailed(id: number, { byId }: InvitationsState, facts: ManageInvitationFacts): Invitation {
  const invitation = byId.get(id);
  if (invitation?.kind !== 'mailed') return refuse('INVITATION_NOT_FOUND');
  requireManager(invitation, facts);
  if (!isValid(invitation, facts.now)) refuse('INVITATION_FINISHED');
  return invitation;
}

function requireManager(invitation: Invitation, facts: ManagerFacts): void {
  if (mayManage(invitation, facts)) return;
  refuse(facts.isAdministrator ? 'OWNER_REQUIRED' : 'ADMINISTRATOR_REQUIRED');
}

/** Ends the invitations and links of a deactivated inviter. */
export class EndInvitationsOf extends Command<{
  inviterId: number;
  /** The id of the only one to end; null: all end. */
  only: number | null;
}> {}

/** Ends the invitation, and the confirmations, to an address that has an account now. */
export class EndInvitationsTo extends Command<{ email: string }> {}

/** Ends the invitations and links whose time is over. */
export class ExpireInvitations extends Command<object> {}

export const decideEndInvitationsOf: Decide<EndInvitationsOf, InvitationsState, InvitationRevoked> = (
  { inviterId, only },
  state,
) =>
  revocations(
    pendingOf(state).filter((one) => one.inviterId === inviterId && (only === null || one.id === only)),
    'inviter deactivated',
  );

export const decideEndInvitationsTo: Decide<EndInvitationsTo, InvitationsState, InvitationRevoked> = (
  { email },
  state,
) => {
  const addressHash = addressHashOf(email);
  return revocations(
    pendingOf(state).filter((one) => one.addressHash === addressHash),
    'joined',
  );
};

export const decideExpireInvitations: Decide<
  ExpireInvitations,
  InvitationsState,
  InvitationExpired,
  { readonly now: number }
> = (_command, state, { now }) =>
  pendingOf(state)
    .filter((invitation) => isOver(invitation, now))
    .map(({ id: invitationId, keyId }) => ({ type: 'InvitationExpired', data: { invitationId, keyId } }));

/** Records that a mail of an invitation will never arrive. */
export class RefuseInvitationMail extends Command<{
  invitationId: number;
  /** Time of the event that caused the mail, milliseconds since 1970. */
  mailedAt: number;
  refusal: Pick<InvitationMailRefused['data'], 'reason' | 'code'>;
}> {}

/** Nothing is recorded twice, of an invitation that has ended, or of a mail that another one has followed since. */
export const decideRefuseInvitationMail: Decide<
  RefuseInvitationMail,
  InvitationsState,
  InvitationMailRefused,
  { readonly now: number }
> = ({ invitationId, mailedAt, refusal }, { byId }, { now }) => {
  const invitation = byId.get(invitationId);
  if (invitation?.kind !== 'mailed' || !isValid(invitation, now)) return [];
  if (invitation.mailedAt !== mailedAt || invitation.isMailRefused) return [];
  const { inviterId } = invitation;
  const { reason, code } = refusal;
  return [{ type: 'InvitationMailRefused', data: { invitationId, inviterId, mailedAt, reason, code } }];
};
