import { ROLES, type Role } from '../kernel/role.js';
import type { Directory } from './directory.js';
import type { ChannelRecord, UserRecord } from './directory.records.js';

/** Roles that know of a channel, and of who is in it, without being subscribed. */
export function rolesThatSee(channel: Pick<ChannelRecord, 'inviteOnly'>): readonly Role[] {
  const administrators = [ROLES.owner, ROLES.administrator];
  return channel.inviteOnly ? administrators : [...administrators, ROLES.moderator, ROLES.member];
}

/**
 * Whether a user may know that a channel exists, what it is called and who is in it. Reading its messages is another
 * question: an administrator who is not subscribed to a private channel sees the channel and not its messages.
 */
export function canSeeChannel(user: UserRecord, channel: ChannelRecord, directory: Directory): boolean {
  return rolesThatSee(channel).includes(user.role) || directory.isSubscribed(user._id, channel._id);
}

/** Whether a user may send to a channel: any member to a public one, subscribers alone to a private one. */
export function mayPostTo(user: UserRecord, channel: ChannelRecord, directory: Directory): boolean {
  if (directory.isSubscribed(user._id, channel._id)) return true;
  return !channel.inviteOnly && user.role !== ROLES.guest;
}

/** Everybody but guests. */
export const mayCreateChannels = ({ role }: Pick<UserRecord, 'role'>): boolean => role !== ROLES.guest;
