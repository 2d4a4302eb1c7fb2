import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { fold } from '../../kernel/fold.js';
import { ROLES, type Role } from '../../kernel/role.js';
import type { UserCreated } from './users.events.js';
import type { UsersState } from './users.state.js';

/** Most characters of a display name and of an address. */
export const MAX_FULL_NAME = 100;
export const MAX_EMAIL = 254;

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
  /** Whether the caller may create accounts; the server itself may. */
  readonly mayCreate: boolean;
  /** argon2id of the password. */
  readonly passwordHash: string | null;
}

export const decideCreateUser: Decide<CreateUser, UsersState, UserCreated, CreateUserFacts> = (
  { account },
  state,
  facts,
) => {
  const fullName = account.fullName.trim();
  if (!facts.mayCreate) refuse('NOT_AUTHORIZED');
  if (!isAddress(account.email)) refuse('INVALID_NEW_EMAIL', { email: account.email });
  if (fullName === '') refuse('NAME_EMPTY');
  if ([...fullName].length > MAX_FULL_NAME) refuse('NAME_TOO_LONG');
  if (hasForbiddenCharacter(fullName)) refuse('NAME_INVALID');
  if (state.idByEmail.has(fold(account.email))) refuse('EMAIL_TAKEN', { email: account.email });
  return [
    {
      type: 'UserCreated',
      data: {
        userId: state.lastId + 1,
        email: account.email,
        fullName,
        role: state.lastId === 0 ? ROLES.owner : account.role,
        passwordHash: facts.passwordHash,
      },
    },
  ];
};

/** One @, something on both sides, no white space: the rest is for a confirmation mail to find out. */
function isAddress(text: string): boolean {
  return text.length <= MAX_EMAIL && /^[^\s@<>",:;\\]+@[^\s@<>",:;\\]+$/.test(text);
}

/** Characters that would end or confuse a mention. */
function hasForbiddenCharacter(name: string): boolean {
  return /[*`\\>"@\p{Cc}]/u.test(name);
}
