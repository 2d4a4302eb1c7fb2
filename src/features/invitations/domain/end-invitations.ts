import type { InvitationExpired, InvitationRevoked } from '../../../events/invitations/invitations.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { addressHashOf, type InvitationsState, isOver, pendingOf } from './invitations.state.js';
import { revocation } from './manage-invitation.js';

/** Ends all invitations and links of a deactivated inviter. */
export class EndInvitationsOf extends Command<void> {
  constructor(
    readonly inviterId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
}

/** Ends the invitation, and the confirmations, to an address that has an account now. */
export class EndInvitationsTo extends Command<void> {
  constructor(
    readonly email: string,
    readonly by: CommandContext,
  ) {
    super();
  }
}

/** Ends the invitations and links whose time is over. */
export class ExpireInvitations extends Command<void> {
  constructor(readonly by: CommandContext) {
    super();
  }
}

export const decideEndInvitationsOf: Decide<EndInvitationsOf, InvitationsState, InvitationRevoked> = (
  { inviterId },
  state,
) =>
  pendingOf(state)
    .filter((invitation) => invitation.inviterId === inviterId)
    .map((invitation) => revocation(invitation, 'inviter deactivated'));

export const decideEndInvitationsTo: Decide<EndInvitationsTo, InvitationsState, InvitationRevoked> = (
  { email },
  state,
) => {
  const addressHash = addressHashOf(email);
  return pendingOf(state)
    .filter((one) => one.addressHash === addressHash)
    .map((one) => revocation(one, 'joined'));
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
