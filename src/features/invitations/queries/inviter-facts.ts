import type { Directory } from '../../../directory/directory.js';
import { may } from '../../../directory/permissions.js';
import { systemBotByEmail } from '../../../events/shared/system-bots.js';
import { type CommandContext, refuse } from '../../../platform/kernel/deciding.js';
import type { InviterFacts, InviterNow, InviterOf } from '../domain/invitation-terms.js';
import type { AccountOfAddress } from '../domain/invitees.js';
import type { ManagerFacts } from '../domain/manage-invitation.js';

export function managerFacts({ actorId }: CommandContext, directory: Directory): ManagerFacts {
  const manager = actorId === null ? null : (directory.user(actorId) ?? refuse('USER_NOT_FOUND'));
  return {
    managerId: actorId,
    isAdministrator: may(manager, 'administer', directory),
    isOwner: may(manager, 'own', directory),
  };
}

type InvitingPermission = 'can_invite_users_group' | 'create_multiuse_invite_group';

export function inviterFacts(inviterId: number, permission: InvitingPermission, directory: Directory): InviterFacts {
  const inviter = directory.user(inviterId) ?? refuse('USER_NOT_FOUND');
  return {
    mayInvite: may(inviter, permission, directory),
    role: inviter.role,
    isAdministrator: may(inviter, 'administer', directory),
    channel: (channelId) => {
      const channel = directory.channel(channelId);
      if (!channel || channel.isArchived || !may(inviter, { channel, to: 'see' }, directory)) return null;
      return {
        isDefault: directory.organization?.defaultChannelIds.includes(channelId) ?? false,
        mayAddSubscribers: may(inviter, { channel, to: 'add subscribers' }, directory),
      };
    },
    mayAddToGroup: (groupId) => {
      const group = directory.groups.group(groupId);
      return group !== undefined && !group.isDeactivated && may(inviter, { group, to: 'add members' }, directory);
    },
  };
}

/** The inviters of links at this moment. Each is looked up once: ten thousand links may have the same inviter. */
export function invitersIn(directory: Directory): InviterOf {
  const known = new Map<string, InviterNow>();
  return ({ inviterId, kind }) => {
    const permission = kind === 'mailed' ? 'can_invite_users_group' : 'create_multiuse_invite_group';
    const key = `${permission} ${inviterId}`;
    const inviter = known.get(key) ?? inviterNow(inviterId, permission, directory);
    known.set(key, inviter);
    return inviter;
  };
}

function inviterNow(inviterId: number, permission: InvitingPermission, directory: Directory): InviterNow {
  const { mayInvite, role } = inviterFacts(inviterId, permission, directory);
  const { isActive = false, fullName = '' } = directory.user(inviterId) ?? {};
  return { isActive, fullName, mayInvite, role };
}

export function accountOf(email: string, directory: Directory): AccountOfAddress {
  if (systemBotByEmail(email)) return 'system bot';
  const user = directory.userByEmail(email);
  if (!user) return null;
  return user.isActive ? 'active' : 'deactivated';
}
