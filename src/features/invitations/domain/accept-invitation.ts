import type {
  Applicant,
  InvitationAccepted,
  InvitationCompleted,
  InvitationRevoked,
  InvitationTerms,
  JoinConfirmationSent,
  NewAccount,
} from '../../../events/invitations/invitations.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { DAY_MS } from '../../../platform/kernel/durations.js';
import { checkedName, isAddress } from '../../users/domain/names.js';
import type { PasswordRule } from '../../users/domain/password.js';
import { type InviterOf, requireInviterNow } from './invitation-terms.js';
import {
  addressHashOf,
  confirmationsOf,
  type Invitation,
  type InvitationsState,
  isValid,
} from './invitations.state.js';
import { type MailLimits, mailsOfDay, nextMailBy, nextMailTo, refuseUntil } from './mail-limits.js';
import { revocation } from './manage-invitation.js';
import type { InvitationLink } from './send-invitations.js';

/** Uses the link of a mail: makes an account. */
export class AcceptInvitation extends Command<{
  /** SHA-256 of the link's token, hexadecimal. */
  tokenHash: string;
  applicant: {
    readonly email: string;
    readonly fullName: string;
    /** Plain. */
    readonly password: string;
    readonly welcomeText: string | null;
  };
}> {}

/** Says that the account of an accepted invitation is made, or cannot be made (`userId` null). */
export class CompleteInvitation extends Command<{ invitationId: number; userId: number | null }> {}

export interface AcceptInvitationFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** argon2id of the password. */
  readonly passwordHash: string;
  readonly passwords: PasswordRule;
  readonly isNameTaken: boolean;
  readonly hasAccount: boolean;
  readonly inviter: InviterOf;
  /** The rights of an account made now. */
  readonly account: (terms: InvitationTerms) => NewAccount;
}

/** A link is used once: of two uses at the same time, the second is decided after the first, and is refused. */
export const decideAcceptInvitation: Decide<
  AcceptInvitation,
  InvitationsState,
  InvitationAccepted,
  AcceptInvitationFacts
> = ({ tokenHash, applicant }, state, facts) => {
  const {
    id: invitationId,
    inviterId,
    notifiesInviter,
    terms,
  } = usableInvitation(tokenHash, applicant.email, state, facts);
  if (facts.hasAccount) refuse('EMAIL_TAKEN', { email: applicant.email });
  const fullName = checkedName(applicant.fullName);
  if (facts.isNameTaken) refuse('NAME_TAKEN');
  facts.passwords.require(applicant.password);
  const { email, welcomeText } = applicant;
  const sealed: Applicant = { email, fullName, passwordHash: facts.passwordHash, welcomeText };
  const account = facts.account(terms);
  return [
    { type: 'InvitationAccepted', data: { invitationId, inviterId, notifiesInviter, account, applicant: sealed } },
  ];
};

export const decideCompleteInvitation: Decide<CompleteInvitation, InvitationsState, InvitationCompleted> = (
  { invitationId, userId },
  { byId },
) => {
  const invitation = byId.get(invitationId);
  if (invitation?.status !== 'accepted') return [];
  return [{ type: 'InvitationCompleted', data: { invitationId, keyId: invitation.keyId, userId } }];
};

/** @throws DomainError LINK_UNUSABLE, INVITER_MAY_NOT_INVITE */
function usableInvitation(
  tokenHash: string,
  email: string,
  { byId, idByTokenHash }: InvitationsState,
  { now, inviter }: AcceptInvitationFacts,
): Invitation {
  const invitation = byId.get(idByTokenHash.get(tokenHash) ?? 0);
  if (!invitation || invitation.kind === 'for many' || !isValid(invitation, now)) return refuse('LINK_UNUSABLE');
  // The key is destroyed, or the page was made for another address.
  if (invitation.addressHash !== addressHashOf(email)) refuse('LINK_UNUSABLE');
  requireInviterNow(invitation.terms, inviter(invitation));
  return invitation;
}

/** Mails a link of their own to somebody who uses a link for many: only the owner of an address makes its account. */
export class ConfirmJoin extends Command<{
  /** SHA-256 of the token of the link for many, hexadecimal. */
  tokenHash: string;
  email: string;
}> {}

export interface ConfirmJoinFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly hasAccount: boolean;
  readonly inviter: InviterOf;
  readonly link: InvitationLink;
  readonly welcomeText: string | null;
  readonly limits: MailLimits;
}

/** A confirmation is valid for a day, and no longer than its link. A newer one replaces it. */
export const decideConfirmJoin: Decide<
  ConfirmJoin,
  InvitationsState,
  JoinConfirmationSent | InvitationRevoked,
  ConfirmJoinFacts
> = ({ tokenHash, email }, state, { now, hasAccount, inviter, link: { keyId, tokenHash: ownHash }, ...facts }) => {
  const { welcomeText, limits } = facts;
  const link = state.byId.get(state.idByTokenHash.get(tokenHash) ?? 0);
  if (link?.kind !== 'for many' || !isValid(link, now)) return refuse('LINK_UNUSABLE');
  requireInviterNow(link.terms, inviter(link));
  if (!isAddress(email)) refuse('INVALID_NEW_EMAIL', { email });
  if (hasAccount) refuse('EMAIL_TAKEN', { email });
  const addressHash = addressHashOf(email);
  const day = mailsOfDay(state.mails, now);
  const next = nextMailTo(addressHash, day) ?? nextMailBy(link.id, day, limits);
  if (next !== null) refuseUntil(next, now);
  const replaced = confirmationsOf(link.id, state).filter((one) => one.addressHash === addressHash);
  return [
    ...replaced.map((one) => revocation(one, 'replaced')),
    {
      type: 'JoinConfirmationSent',
      data: {
        invitationId: state.lastId + 1,
        inviterId: link.inviterId,
        linkId: link.id,
        keyId,
        tokenHash: ownHash,
        expiresAt: Math.min(now + DAY_MS, link.expiresAt ?? Number.POSITIVE_INFINITY),
        invitee: { email, welcomeText },
      },
    },
  ];
};
