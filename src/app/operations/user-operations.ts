import type { UserRecord } from '../../directory/directory.records.js';
import { ROLES } from '../../events/shared/role.js';
import { CreateUser } from '../../features/users/domain/create-user.js';
import { SetPassword } from '../../features/users/domain/set-password.js';
import { accountNamed } from './named.js';
import { oneOf, operation, text } from './operation.js';
import { ROLE_NAMES, roleName } from './role-names.js';

/** An account as operators see it. */
export interface ShownUser {
  readonly user_id: number;
  readonly email: string;
  readonly full_name: string;
  /** Name of the role. */
  readonly role: string;
  readonly is_bot: boolean;
  readonly is_active: boolean;
  /** Number of API keys, each of which is a login. */
  readonly keys: number;
}

const shown = ({ _id, email, fullName, role, bot, isActive, apiKeys }: UserRecord): ShownUser => ({
  user_id: _id,
  email,
  full_name: fullName,
  role: roleName(role),
  is_bot: bot !== null,
  is_active: isActive,
  keys: apiKeys.length,
});

export const userOperations = {
  'user list': operation({}, (_, { directory }) => directory.allUsers().map(shown)),

  'user create': operation(
    { email: text, fullName: text, role: oneOf(ROLE_NAMES), password: text },
    async ({ role, ...account }, { commands, by }) => ({
      user_id: await commands.execute(new CreateUser({ account: { ...account, role: ROLES[role] }, by })),
    }),
  ),

  'user reset-password': operation({ user: text, password: text }, async ({ user, password }, on) => {
    const account = accountNamed(user, on.directory);
    if (account.bot) throw new Error(`${account.email} is a bot, and bots have no password`);
    await on.commands.execute(new SetPassword({ userId: account._id, password, by: on.by }));
    return shown({ ...account, apiKeys: [] });
  }),
};
