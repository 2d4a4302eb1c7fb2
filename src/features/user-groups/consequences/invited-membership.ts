import type { InvitationAccepted } from '../../../events/invitations/invitations.events.js';
import { USER_GROUPS_STREAM } from '../../../events/user-groups/user-groups.events.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { accountMadeBy } from '../../users/consequences/invited-account.js';
import { decideJoinGroups, isOfSameMember } from '../domain/group-members.js';
import { userGroups } from '../domain/user-groups.state.js';

/** Makes the account of an accepted invitation a member of the invitation's groups. */
export const invitedMembership = processManager<InvitationAccepted>({
  name: 'invited-membership',
  on: 'InvitationAccepted',
  appends: ['UserGroupMembersAdded'],
  react: async (event, runner) => {
    const { id, data, metadata, position } = event;
    const { groupIds } = data.account;
    const userId = groupIds.length === 0 || data.applicant === null ? null : await accountMadeBy(event, runner);
    if (userId === null) return position;
    const outcome = await runner.decide({
      stream: USER_GROUPS_STREAM,
      decider: userGroups,
      expects: 'any',
      decide: decideJoinGroups,
      command: { groupIds, userId },
      context: undefined,
      by: { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId },
      cause: {
        eventId: id,
        position,
        ids: (_index, added) => derivedId('invited-membership', id, added.data.groupId),
        isAboutTheSame: isOfSameMember,
      },
    });
    return Math.max(position, outcome.position);
  },
});
