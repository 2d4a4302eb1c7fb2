import type { AccountLinkEnded, EmailChangeRequested } from '../../../events/users/account-links.events.js';
import type { ApiKeysEnded, PasswordChanged, UserRenamed } from '../../../events/users/users.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { allLinksEnded, type LinkFacts, linksEnded, requireFewRequests } from './account-links.js';
import { requireFreeAddress } from './names.js';
import type { PasswordRule } from './password.js';
import { renamed } from './update-user.js';
import { LINK_LIFE_MS, type UserState, type UsersState } from './users.state.js';

export interface OwnAccountChanges {
  readonly fullName?: string | undefined;
  readonly password?: NewPassword | undefined;
  /** Changes once it is confirmed. */
  readonly email?: string | undefined;
  /** The present password, if the client sends it with a new address. */
  readonly oldPassword?: string | undefined;
}

interface NewPassword {
  readonly old: string;
  readonly to: string;
  /** SHA-256 of the API key of the request, hexadecimal: it stays valid. */
  readonly keyHash: string;
}

/** Changes the caller's own account, by `PATCH /settings`. */
export class ChangeOwnAccount extends Command<{ userId: number; changes: OwnAccountChanges }, boolean> {}

export interface ChangeOwnAccountFacts {
  /** If false, a name in the request is ignored: clients always send the name. */
  readonly mayRename: boolean;
  readonly uniqueNames: boolean;
  /** Hash of the password that the caller proved to know; null if none. A change of the password meanwhile makes it invalid. */
  readonly knownHash: string | null;
  /** argon2id hash of the new password; null if the password stays. */
  readonly passwordHash: string | null;
  readonly passwords: PasswordRule;
  readonly mayChangeEmail: boolean;
  /** For the link to a new address. */
  readonly link: LinkFacts & { readonly vetoHash: string };
}

/** Makes all changes, or none. */
export const decideChangeOwnAccount: Decide<
  ChangeOwnAccount,
  UsersState,
  UserRenamed | PasswordChanged | ApiKeysEnded | EmailChangeRequested | AccountLinkEnded,
  ChangeOwnAccountFacts
> = ({ userId, changes: { fullName, password, email, oldPassword } }, state, facts) => {
  const user = state.byId.get(userId) ?? refuse('USER_NOT_FOUND');
  if (user.bot) refuse('BOTS_NOT_ALLOWED');
  const isProved = facts.knownHash !== null && facts.knownHash === user.passwordHash;
  if ((password || (isMoved(user, email) && oldPassword !== undefined)) && !isProved) refuse('WRONG_PASSWORD');
  if (password && facts.passwords.fault(password.to) === 'PASSWORD_TOO_WEAK') refuse('NEW_PASSWORD_TOO_WEAK');
  if (password) facts.passwords.require(password.to);
  const { passwordHash } = facts;
  return [
    ...(facts.mayRename ? renamed(userId, user, fullName, state, facts.uniqueNames) : []),
    ...(passwordHash === null ? [] : [{ type: 'PasswordChanged', data: { userId, passwordHash } } as const]),
    ...(passwordHash === null ? [] : keysEnded(userId, user, password?.keyHash)),
    ...(passwordHash === null ? [] : allLinksEnded(state, userId, 'password changed')),
    ...emailChangeRequested(userId, user, email, state, facts),
  ];
};

const isMoved = (user: UserState, email: string | undefined): email is string =>
  email !== undefined && email !== user.email;

/** A newer request ends the link of an older one. */
function emailChangeRequested(
  userId: number,
  user: UserState,
  email: string | undefined,
  state: UsersState,
  { mayChangeEmail, passwordHash, link: { keyId, tokenHash, vetoHash, now } }: ChangeOwnAccountFacts,
): readonly (EmailChangeRequested | AccountLinkEnded)[] {
  if (!isMoved(user, email)) return [];
  if (!mayChangeEmail) refuse('EMAIL_CHANGES_DISABLED');
  requireFreeAddress(state, email, userId);
  requireFewRequests(state, userId, 'email', now);
  const expiresAt = now + LINK_LIFE_MS.email;
  return [
    // A new password in the same request has ended it already.
    ...(passwordHash === null ? linksEnded(state, userId, ['email'], 'replaced') : []),
    { type: 'EmailChangeRequested', data: { userId, keyId, tokenHash, expiresAt, address: { email }, vetoHash } },
  ];
}

/** Ends the keys of an account's other logins: a new password is often chosen because somebody else has logged in. */
export const keysEnded = (
  userId: number,
  { keyHashes }: UserState,
  kept: string | undefined,
): readonly ApiKeysEnded[] => {
  const others = keyHashes.filter((hash) => hash !== kept);
  return others.length === 0 ? [] : [{ type: 'ApiKeysEnded', data: { userId, keyHashes: others } }];
};
