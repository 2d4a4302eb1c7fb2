import type { Applicant, NewAccount } from '../../../events/invitations/invitations.events.js';
import { ROLES, type Role } from '../../../events/shared/role.js';
import type { PermissionGranted, UserCreated } from '../../../events/users/users.events.js';
import { SPECIAL_PERMISSIONS } from '../../../events/users/users.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';
import { checkedName, isAddress, requireUniqueName } from './names.js';
import type { PasswordRule } from './password.js';
import type { UsersState } from './users.state.js';

export class CreateUser extends Command<
  {
    account: {
      readonly email: string;
      readonly fullName: string;
      /** Plain; null for an account that cannot log in with a password. */
      readonly password: string | null;
      readonly role: Role;
    };
  },
  number
> {}

interface CreateUserFacts {
  /** True also for the server itself. */
  readonly isAdministrator: boolean;
  /** `can_create_users`. */
  readonly mayCreate: boolean;
  /** argon2id of the password; null for an account without one. */
  readonly passwordHash: string | null;
  readonly passwords: PasswordRule;
  readonly uniqueNames: boolean;
  /** Ids of the default channels that the user can be subscribed to. */
  readonly channelIds: readonly number[];
}

/** Creates an account. The first account is an owner and gets the permissions that no role has. */
export const decideCreateUser: Decide<CreateUser, UsersState, UserCreated | PermissionGranted, CreateUserFacts> = (
  { account },
  state,
  facts,
) => {
  if (!facts.isAdministrator) refuse('ADMINISTRATOR_REQUIRED');
  if (!facts.mayCreate) refuse('MAY_NOT_CREATE_USERS');
  if (!isAddress(account.email)) refuse('INVALID_NEW_EMAIL', { email: account.email });
  const fullName = checkedName(account.fullName);
  if (facts.uniqueNames) requireUniqueName(state, fullName);
  if (state.idByEmail.has(foldCase(account.email))) refuse('EMAIL_TAKEN', { email: account.email });
  if (account.password !== null) facts.passwords.require(account.password);
  const userId = state.lastId + 1;
  const isFirst = state.lastId === 0;
  return [
    {
      type: 'UserCreated',
      data: {
        userId,
        email: account.email,
        fullName,
        role: isFirst ? ROLES.owner : account.role,
        passwordHash: facts.passwordHash,
        channelIds: facts.channelIds,
      },
    },
    ...(isFirst ? SPECIAL_PERMISSIONS : []).map((permission) => ({
      type: 'PermissionGranted' as const,
      data: { userId, permission },
    })),
  ];
};

interface CreateInvitedUser {
  readonly applicant: Applicant;
  readonly account: NewAccount;
}

/**
 * Creates the account of an accepted invitation. Nothing happens if the address has an account by now. A name that has
 * been taken since the acceptance is kept.
 */
export const decideCreateInvitedUser: Decide<CreateInvitedUser, UsersState, UserCreated> = (
  { applicant: { email, fullName, passwordHash }, account: { role, channelIds } },
  { idByEmail, lastId },
) => {
  if (idByEmail.has(foldCase(email))) return [];
  const userId = lastId + 1;
  return [{ type: 'UserCreated', data: { userId, email, fullName, role, passwordHash, channelIds } }];
};
