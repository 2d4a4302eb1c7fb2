import { badRequest, type DataOf, lackingRight, type Refusals } from '../../platform/http/refusal.js';

/** Refusals of invitations. */
export const invitationRefusals = {
  NOBODY_TO_INVITE: badRequest('You must specify at least one email address.'),
  INVITATION_CHANNEL_UNKNOWN: badRequest('Invalid channel ID {channelId}. No invites were sent.'),
  MAY_NOT_SUBSCRIBE_OTHERS: lackingRight('You do not have permission to subscribe other users to channels.'),
  INVITATION_FAILED: {
    status: 400,
    code: 'INVITATION_FAILED',
    message: '{summary}',
    keys: ['errors', 'sent_invitations', 'license_limit_reached', 'daily_limit_reached'],
  },
  INVITATION_NOT_FOUND: badRequest('No such invitation'),
  INVITATION_FINISHED: badRequest('Invitation already used or deactivated.'),
  INVITER_MAY_NOT_INVITE: badRequest(
    '{inviter} may no longer invite people to the role of this link. Ask an administrator for another invitation.',
  ),
  INVITATION_LINK_REVOKED: badRequest('Invitation has already been revoked'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof invitationRefusals> {}
}
