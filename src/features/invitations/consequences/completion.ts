import { INVITATIONS_STREAM, type InvitationAccepted } from '../../../events/invitations/invitations.events.js';
import { causerOf, decideAfter, processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { accountMadeBy } from '../../users/consequences/invited-account.js';
import { CompleteInvitation, decideCompleteInvitation } from '../domain/accept-invitation.js';
import { invitations } from '../domain/invitations.state.js';

/** Ends an accepted invitation when everything has followed from it: the last of the managers of an acceptance. */
export const completion = processManager<InvitationAccepted>({
  name: 'invitation-completion',
  on: 'InvitationAccepted',
  appends: ['InvitationCompleted'],
  react: async (event, runner) => {
    const { id, data, metadata, position } = event;
    if (data.applicant === null) return position;
    const by = causerOf({ metadata });
    const outcome = await decideAfter({ id, metadata, position }, runner, {
      stream: INVITATIONS_STREAM,
      decider: invitations,
      decide: decideCompleteInvitation,
      command: new CompleteInvitation({
        invitationId: data.invitationId,
        userId: await accountMadeBy(event, runner),
        by,
      }),
      context: undefined,
      ids: () => derivedId('invitation-completion', id),
    });
    return outcome.position;
  },
});
