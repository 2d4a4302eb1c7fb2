import type {
  InvitationResent,
  InvitationRevoked,
  InvitationSent,
  InvitationTerms,
} from '../../../events/invitations/invitations.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { type InviterFacts, requireInviter, requireTerms } from './invitation-terms.js';
import { addressHashOf, type Invitation, type InvitationsState, isOver } from './invitations.state.js';
import {
  type AccountOfAddress,
  addressesIn,
  malformedIn,
  partedByAccount,
  refuseInvitees,
  refuseTooMany,
} from './invitees.js';
import { type ManagerFacts, mayManage, revocation } from './manage-invitation.js';

/** More would be mail that nobody asked for. */
export const MOST_AT_ONCE = 1000;

/** Invites people by mail. */
export class SendInvitations extends Command<void> {
  constructor(
    readonly inviterId: number,
    /** The addresses, separated by commas or line breaks. */
    readonly invitees: string,
    readonly terms: InvitationTerms,
    readonly options: {
      /** Milliseconds since 1970; null: never. */
      readonly expiresAt: number | null;
      readonly notifiesInviter: boolean;
      readonly welcomeText: string | null;
    },
    readonly by: CommandContext,
  ) {
    super();
  }
}

/** A new link's key, and the hash of the token that is derived from it. */
export interface LinkFacts {
  readonly keyId: string;
  readonly tokenHash: string;
}

export interface SendInvitationsFacts extends InviterFacts, ManagerFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly accountOf: (email: string) => AccountOfAddress;
  /** The link of the nth invitation of the command. */
  readonly link: (index: number) => LinkFacts;
}

/**
 * An address has one live invitation, so an earlier one is replaced. One that the inviter may not revoke is kept, and is
 * mailed again: nobody ends a better invitation by inviting to less. Addresses with accounts are left out; the handler
 * refuses with these after the others are invited.
 */
export const decideSendInvitations: Decide<
  SendInvitations,
  InvitationsState,
  InvitationSent | InvitationResent | InvitationRevoked,
  SendInvitationsFacts
> = ({ inviterId, invitees, terms, options }, state, facts) => {
  requireInviter(terms.role, facts);
  const emails = addressesIn(invitees);
  if (emails.length === 0) refuse('NOBODY_TO_INVITE');
  if (emails.length > MOST_AT_ONCE) refuseTooMany(MOST_AT_ONCE);
  requireTerms(terms, options.welcomeText, facts);
  const malformed = malformedIn(emails);
  if (malformed.length > 0)
    refuseInvitees("Some emails did not validate, so we didn't send any invitations.", malformed, false);
  const { invited, errors } = partedByAccount(emails, facts.accountOf);
  if (invited.length === 0) refuseInvitees("We weren't able to invite anyone.", errors, false);

  const { expiresAt, notifiesInviter, welcomeText } = options;
  let lastId = state.lastId;
  return invited.flatMap((email, index): (InvitationSent | InvitationResent | InvitationRevoked)[] => {
    const before = pendingOfAddress(email, state);
    if (before && !isOver(before, facts.now) && !mayManage(before, facts))
      return [{ type: 'InvitationResent', data: { invitationId: before.id } }];
    lastId += 1;
    return [
      ...(before ? [revocation(before, 'replaced')] : []),
      {
        type: 'InvitationSent',
        data: {
          invitationId: lastId,
          inviterId,
          ...facts.link(index),
          terms,
          expiresAt,
          notifiesInviter,
          invitee: { email, welcomeText },
        },
      },
    ];
  });
};

function pendingOfAddress(email: string, { byId, pendingIdByAddress }: InvitationsState): Invitation | undefined {
  const id = pendingIdByAddress.get(addressHashOf(email));
  return id === undefined ? undefined : byId.get(id);
}
