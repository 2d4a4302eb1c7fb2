import type { InvitationTerms } from '../../../events/invitations/invitations.events.js';
import { ROLES, type Role } from '../../../events/shared/role.js';
import { refuse } from '../../../platform/kernel/deciding.js';

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

/** Finds the inviter of a link. A confirmation has the inviter of its link for many. */
export type InviterOf = (link: { readonly inviterId: number; readonly kind: LinkKind }) => InviterNow;

/** `confirmation`: mailed to somebody who uses a link for many. */
export type LinkKind = 'mailed' | 'for many' | 'confirmation';

/** The inviter of a link, when somebody wants to use it. */
export interface InviterNow {
  readonly isActive: boolean;
  readonly fullName: string;
  /** `can_invite_users_group` for a mailed invitation, else `create_multiuse_invite_group`. */
  readonly mayInvite: boolean;
  readonly role: Role;
}

/**
 * A link gives its role only while its inviter may invite to it (D23). An inviter may be deactivated while it is stored.
 * @throws DomainError LINK_UNUSABLE if the inviter is deactivated; INVITER_MAY_NOT_INVITE
 */
export function requireInviterNow({ role }: Pick<InvitationTerms, 'role'>, inviter: InviterNow): void {
  if (!inviter.isActive) refuse('LINK_UNUSABLE');
  if (!mayStillInvite(role, inviter)) refuse('INVITER_MAY_NOT_INVITE', { inviter: inviter.fullName });
}

export const mayStillInvite = (role: Role, inviter: Pick<InviterNow, 'mayInvite' | 'role'>): boolean =>
  inviter.mayInvite && role >= inviter.role;

/** Tells whether somebody could make a link for many with the same role, channels and groups. */
export function mayGive({ role, channelIds, groupIds }: InvitationTerms, facts: InviterFacts): boolean {
  if (!facts.mayInvite || role < facts.role) return false;
  const maySubscribe = (channelId: number): boolean => {
    const channel = facts.channel(channelId);
    return channel !== null && (channel.isDefault || channel.mayAddSubscribers);
  };
  return channelIds.every(maySubscribe) && groupIds.every(facts.mayAddToGroup);
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
