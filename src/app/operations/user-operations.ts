import type { UserRecord } from '../../directory/directory.records.js';
import { ACTION_NAMES } from '../../directory/named-action.js';
import { ROLES } from '../../events/shared/role.js';
import { apiKeyId } from '../../events/users/users.events.js';
import { SPECIAL_PERMISSIONS } from '../../events/users/users.settings.js';
import { ExplainPermission } from '../../features/permissions/queries/explain-permission.js';
import { DeactivateUser, ReactivateUser } from '../../features/users/domain/activity.js';
import { EndApiKey } from '../../features/users/domain/api-keys.js';
import { DeactivateBot } from '../../features/users/domain/bots.js';
import { CreateUser } from '../../features/users/domain/create-user.js';
import { GrantPermission, RevokePermission } from '../../features/users/domain/grant-permission.js';
import { SetPassword } from '../../features/users/domain/set-password.js';
import { UpdateUser } from '../../features/users/domain/update-user.js';
import { GetApiKeys } from '../../features/users/queries/api-keys.queries.js';
import {
  accountNamed,
  activeAccountNamed,
  channelNamed,
  oneOf,
  operation,
  text,
  textOrNull,
  texts,
  yesOrNo,
} from './operation.js';
import { ROLE_NAMES, roleName } from './role-names.js';

/** An account as operators see it. */
interface ShownUser {
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

  'user set-role': operation({ user: text, role: oneOf(ROLE_NAMES) }, async ({ user, role }, on) => {
    const account = activeAccountNamed(user, on.directory);
    await on.commands.execute(new UpdateUser({ userId: account._id, changes: { role: ROLES[role] }, by: on.by }));
    return { ...shown(account), role, was: roleName(account.role) };
  }),

  'user deactivate': operation({ user: text }, async ({ user }, { directory, commands, by }) => {
    const account = accountNamed(user, directory);
    const { _id: userId, bot } = account;
    await commands.execute(
      bot ? new DeactivateBot({ botId: userId, by }) : new DeactivateUser({ userId, notice: null, by }),
    );
    return { ...shown(account), is_active: false, was_active: account.isActive };
  }),

  'user reactivate': operation({ user: text }, async ({ user }, { directory, commands, by }) => {
    const account = accountNamed(user, directory);
    await commands.execute(new ReactivateUser({ userId: account._id, by }));
    return { ...shown(account), is_active: true, was_active: account.isActive };
  }),

  'user keys': operation({ user: text }, async ({ user }, { directory, queries }) => {
    const keys = await queries.execute(new GetApiKeys({ owner: accountNamed(user, directory), currentHash: null }));
    return keys.map(({ is_current, ...key }) => key);
  }),

  'user end-keys': operation({ user: text, keys: texts }, async ({ user, keys }, { directory, commands, by }) => {
    const { _id: userId, email, apiKeys } = accountNamed(user, directory);
    const unknown = keys.find((key) => !apiKeys.some(({ hash }) => apiKeyId(hash) === key));
    if (unknown !== undefined)
      throw new Error(`${email} has no key ${unknown}: annals user keys ${email} prints the keys`);
    const ended = apiKeys.filter(({ hash }) => keys.length === 0 || keys.includes(apiKeyId(hash)));
    for (const { hash: keyHash } of ended) await commands.execute(new EndApiKey({ userId, keyHash, by }));
    return { user_id: userId, email, ended: ended.length, left: apiKeys.length - ended.length };
  }),
};

export const permissionOperations = {
  grant: operation(
    { permission: oneOf(SPECIAL_PERMISSIONS), user: text, isGranted: yesOrNo },
    async ({ permission, user, isGranted }, { directory, commands, by }) => {
      const { _id: userId, email } = isGranted ? activeAccountNamed(user, directory) : accountNamed(user, directory);
      const command = isGranted
        ? new GrantPermission({ permission, userId, by })
        : new RevokePermission({ permission, userId, by });
      return { user_id: userId, email, permission, has: isGranted, changed: await commands.execute(command) };
    },
  ),

  why: operation(
    { user: text, action: oneOf(ACTION_NAMES), channel: textOrNull },
    async ({ user, action, channel: named }, { directory, queries }) => {
      const { _id: userId, email } = accountNamed(user, directory);
      const channel = named === null ? null : channelNamed(named, directory);
      const channelId = channel?._id ?? null;
      const explanation = await queries.execute(new ExplainPermission({ reader: null, userId, action, channelId }));
      return { user_id: userId, email, action, channel_id: channelId, channel: channel?.name ?? null, ...explanation };
    },
  ),
};
