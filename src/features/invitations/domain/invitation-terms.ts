import type { InvitationTerms } from '../../../events/invitations/invitations.events.js';
import { ROLES, type Role } from '../../../events/shared/role.js';
import { refuse } from '../../../platform/kernel/domain-error.js';

/** The inviter's rights at the time of the invitation. */
export interface InviterFacts {
  /** `can_invite_users_group`, or `create_multiuse_invite_group` for a link. */
  readonly mayInvite: boolean;
  readonly role: Role;
  readonly isAdministrator: boolean;
  /** Null: the inviter cannot reach the channel. */
  readonly channel: (channelId: number) => { readonly isDefault: boolean; readonly mayAddSubscribers: boolean } | null;
  readonly mayAddToGroup: (groupId: number) => boolean;
}

/** @throws DomainError NOT_AUTHORIZED, OWNER_REQUIRED, ADMINISTRATOR_REQUIRED */
export function requireInviter(role: Role, inviter: Pick<InviterFacts, 'mayInvite' | 'role'>): void {
  if (!inviter.mayInvite) refuse('NOT_AUTHORIZED');
  // A smaller number is a role with fewer restrictions.
  if (role >= inviter.role) return;
  refuse(role === ROLES.owner ? 'OWNER_REQUIRED' : 'ADMINISTRATOR_REQUIRED');
}

/** @throws DomainError INVITATION_CHANNEL_UNKNOWN, MAY_NOT_SUBSCRIBE_OTHERS, NOT_AUTHORIZED, ADMINISTRATOR_REQUIRED */
export function requireTerms(
  { channelIds, groupIds }: InvitationTerms,
  welcomeText: string | null,
  { channel, mayAddToGroup, isAdministrator }: InviterFacts,
): void {
  const channels = channelIds.map(
    (channelId) => channel(channelId) ?? refuse('INVITATION_CHANNEL_UNKNOWN', { channelId }),
  );
  if (channels.some((one) => !one.isDefault && !one.mayAddSubscribers)) refuse('MAY_NOT_SUBSCRIBE_OTHERS');
  if (!groupIds.every(mayAddToGroup)) refuse('NOT_AUTHORIZED');
  if (welcomeText !== null && !isAdministrator) refuse('ADMINISTRATOR_REQUIRED');
}
