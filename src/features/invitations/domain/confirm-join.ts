import type { InvitationRevoked, JoinConfirmationSent } from '../../../events/invitations/invitations.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { isAddress } from '../../users/domain/names.js';
import { type InviterOf, requireInviterNow } from './invitation-terms.js';
import { addressHashOf, confirmationsOf, type InvitationsState, isValid } from './invitations.state.js';
import { type MailLimits, mailsOfDay, nextMailBy, nextMailTo, refuseUntil } from './mail-limits.js';
import { revocation } from './manage-invitation.js';
import type { LinkFacts } from './send-invitations.js';

const DAY_MS = 86_400_000;

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
  readonly link: LinkFacts;
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
