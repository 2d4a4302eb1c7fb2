import type { InvitationAccepted } from '../../../events/invitations/invitations.events.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/derived-id.js';
import { accountMadeBy } from '../../users/consequences/invited-account.js';
import { isActive, sendNotice } from './direct-notices.js';

/** Tells an inviter who wants to know that somebody has joined. */
export const acceptanceNotices = processManager<InvitationAccepted>({
  name: 'acceptance-notices',
  on: 'InvitationAccepted',
  appends: ['MessageSent'],
  react: async (event, runner) => {
    const { applicant, inviterId, notifiesInviter } = event.data;
    const userId = applicant === null ? null : await accountMadeBy(event, runner);
    if (applicant === null || userId === null) return event.position;
    if (!notifiesInviter || !(await isActive(inviterId, runner))) return event.position;
    const { fullName } = applicant;
    return sendNotice(
      {
        id: derivedId('joining-notice', event.id, 'accepted'),
        readerId: inviterId,
        text: `@_**${fullName}|${userId}** accepted your invitation to join!`,
        userById: (id) => (id === userId ? { id, fullName, isActive: true } : undefined),
      },
      event,
      runner,
    );
  },
});
