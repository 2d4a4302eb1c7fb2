import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { fold } from '../../kernel/fold.js';
import { ROLES, type Role } from '../../kernel/role.js';
import { checkedName, isAddress, requireUniqueName } from './names.js';
import type { PermissionGranted, UserCreated } from './users.events.js';
import { SPECIAL_PERMISSIONS } from './users.settings.js';
import type { UsersState } from './users.state.js';

export class CreateUser {
  constructor(
    readonly account: {
      readonly email: string;
      readonly fullName: string;
      /** Plain; null for an account that cannot log in with a password. */
      readonly password: string | null;
      readonly role: Role;
    },
    readonly by: CommandContext,
  ) {}
}

export interface CreateUserFacts {
  /** The server itself may do all that administrators may. */
  readonly isAdministrator: boolean;
  /** `can_create_users`. */
  readonly mayCreate: boolean;
  /** argon2id of the password. */
  readonly passwordHash: string | null;
  readonly uniqueNames: boolean;
  /** The organisation's default channels that can be subscribed to. */
  readonly channelIds: readonly number[];
}

/** The first account is an owner's, and has what no role brings (api.md, Authentication 4). */
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
  if (state.idByEmail.has(fold(account.email))) refuse('EMAIL_TAKEN', { email: account.email });
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
