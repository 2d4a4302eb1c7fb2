import type { InvitationExpired, InvitationRevoked } from '../../../events/invitations/invitations.events.js';
import { Command, type Decide } from '../../../platform/kernel/deciding.js';
import { addressHashOf, type InvitationsState, isOver, pendingOf } from './invitations.state.js';
import { revocations } from './manage-invitation.js';

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
