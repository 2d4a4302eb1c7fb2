import type { InvitationMailRefused } from '../../../events/invitations/invitations.events.js';
import { Command, type Decide } from '../../../platform/kernel/deciding.js';
import { type InvitationsState, isValid } from './invitations.state.js';

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
