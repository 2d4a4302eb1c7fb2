import type { AccountLinkEnded } from '../../../events/users/account-links.events.js';
import type { ApiKeysEnded, PasswordChanged } from '../../../events/users/users.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { allLinksEnded } from './account-links.js';
import { keysEnded } from './change-own-account.js';
import type { PasswordRule } from './password.js';
import type { UsersState } from './users.state.js';

/** Sets the password of somebody's account. Only the server's operator can send it. */
export class SetPassword extends Command<{ userId: number; password: string }> {}

interface SetPasswordFacts {
  /** argon2id hash of the new password. */
  readonly passwordHash: string;
  readonly passwords: PasswordRule;
}

/** Every login of the account ends, as with a mailed link. A deactivated account gets the password for its reactivation. */
export const decideSetPassword: Decide<
  SetPassword,
  UsersState,
  PasswordChanged | ApiKeysEnded | AccountLinkEnded,
  SetPasswordFacts
> = ({ userId, password }, state, { passwordHash, passwords }) => {
  const user = state.byId.get(userId) ?? refuse('USER_NOT_FOUND');
  if (user.bot) refuse('BOTS_NOT_ALLOWED');
  passwords.require(password);
  return [
    { type: 'PasswordChanged', data: { userId, passwordHash } },
    ...keysEnded(userId, user, undefined),
    ...allLinksEnded(state, userId, 'password changed'),
  ];
};
