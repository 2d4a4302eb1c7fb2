import type { InvitationMailRefused } from '../../../events/invitations/invitations.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { type InvitationsState, isValid } from './invitations.state.js';

/** Records that a mail of an invitation will never arrive. */
export class RefuseInvitationMail extends Command<void> {
  constructor(
    readonly invitationId: number,
    /** Time of the event that caused the mail, milliseconds since 1970. */
    readonly mailedAt: number,
    readonly refusal: Pick<InvitationMailRefused['data'], 'reason' | 'code'>,
    readonly by: CommandContext,
  ) {
    super();
  }
}

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
