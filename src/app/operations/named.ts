import type { Directory } from '../../directory/directory.js';
import type { ChannelRecord, UserRecord } from '../../directory/directory.records.js';
import { ROLES } from '../../events/shared/role.js';

/** Names that a refusal lists at most. */
const MOST_NAMED = 10;

/** Finds the account that an operator names by id or address. @throws Error that says which accounts there are */
export function accountNamed(user: string, directory: Directory): UserRecord {
  const found = /^\d+$/.test(user) ? directory.user(Number(user)) : directory.userByEmail(user);
  if (found) return found;
  const all = directory.allUsers().map(({ _id, email }) => `${email} (${_id})`);
  throw new Error(`there is no account ${user}: there are ${listed(all, 'annals user list')}`);
}

/** @throws Error that says which accounts there are, or how a deactivated one becomes active */
export function activeAccountNamed(user: string, directory: Directory): UserRecord {
  const account = accountNamed(user, directory);
  if (account.isActive) return account;
  throw new Error(`${account.email} is deactivated: annals user reactivate ${account.email}`);
}

/** Finds the owner in whose name an operator makes what needs a maker. @throws Error if all owners are deactivated */
export function activeOwner(directory: Directory): UserRecord {
  const owner = directory
    .allUsers()
    .find(({ isActive, role, bot }) => isActive && role === ROLES.owner && bot === null);
  if (owner) return owner;
  throw new Error('no owner is active: annals user list prints the accounts');
}

/** Finds the channel that an operator names by name or id. @throws Error that says which channels there are */
export function channelNamed(channel: string, directory: Directory): ChannelRecord {
  const byId = /^\d+$/.test(channel) ? directory.channel(Number(channel)) : undefined;
  const found = directory.channelByName(channel) ?? byId;
  if (found) return found;
  const all = directory.allChannels().map(({ _id, name }) => `${name} (${_id})`);
  throw new Error(`there is no channel ${channel}: there are ${listed(all, 'annals channel list')}`);
}

/** The first of the names. @param command prints all of them */
export function listed(names: readonly string[], command: string): string {
  if (names.length === 0) return 'none';
  const others = names.length - MOST_NAMED;
  const first = names.slice(0, MOST_NAMED).join(', ');
  return others > 0 ? `${first} and ${others} more, which ${command} prints` : first;
}
