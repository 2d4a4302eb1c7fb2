import type { InvitationAccepted } from '../../../events/invitations/invitations.events.js';
import { USER_GROUPS_STREAM } from '../../../events/user-groups/user-groups.events.js';
import { decideAfter, processManager } from '../../../platform/consumers/process-manager.js';
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
    const outcome = await decideAfter({ id, metadata, position }, runner, {
      stream: USER_GROUPS_STREAM,
      decider: userGroups,
      decide: decideJoinGroups,
      command: { groupIds, userId },
      context: undefined,
      ids: (_index, added) => derivedId('invited-membership', id, added.data.groupId),
      isAboutTheSame: isOfSameMember,
    });
    return outcome.position;
  },
});
