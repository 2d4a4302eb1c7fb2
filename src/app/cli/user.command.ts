import { Argument, Command, Option } from 'commander';
import { ROLE_NAMES, type RoleName } from '../operations/role-names.js';
import { type PasswordOptions, passwordLine, removePasswordFiles, withNewPassword } from './new-password.js';
import { chosen, groupOf, type Json, jsonLines, operating, table } from './operator-command.js';
import type { Shell } from './shell.js';

const USER = "the account's email address or its id";
const passwordFile = (): Option =>
  new Option(
    '--password-file <file>',
    'file with the password in its first line; - is standard input. Without this it is random: shown once on a terminal, else in a file',
  );

export function userCommand(shell: Shell): Command {
  const group = 'user';
  return groupOf(group, 'List, create and change accounts.', [
    listCommand(shell, group),
    createCommand(shell, group),
    resetPasswordCommand(shell, group),
    setRoleCommand(shell, group),
    deactivateCommand(shell, group),
    reactivateCommand(shell, group),
    keysCommand(shell, group),
    endKeysCommand(shell, group),
  ]);
}

const listCommand = (shell: Shell, group: 'user'): Command =>
  operating<Json>(
    new Command('list').description('Print all accounts, bots and deactivated ones too.'),
    { group, shell },
    async ({ json }, { operate }) => {
      const users = await operate('user list', {});
      if (json) return jsonLines(users);
      const rows = users.map((user) => [
        String(user.user_id),
        user.email,
        user.full_name,
        user.is_bot ? `${user.role}, bot` : user.role,
        user.is_active ? 'active' : 'deactivated',
        String(user.keys),
      ]);
      return table([['id', 'email', 'name', 'role', 'state', 'keys'], ...rows]);
    },
  );

interface CreateOptions extends PasswordOptions, Json {
  readonly name: string;
  readonly role: RoleName;
}

const createCommand = (shell: Shell, group: 'user'): Command =>
  operating<CreateOptions>(
    new Command('create')
      .description('Create an account, in the default channels.')
      .argument('<email>', 'the address of the new account')
      .requiredOption('--name <full name>', 'the full name')
      .addOption(new Option('--role <role>', 'the role').choices(ROLE_NAMES).default('member'))
      .addOption(passwordFile()),
    { group, shell },
    async (options, { config, operate }, [email = '']) => {
      const { name: fullName, role } = options;
      const [{ user_id }, told] = await withNewPassword(options, { shell, config, user: email }, async (password) => ({
        email,
        ...(await operate('user create', { email, fullName, role, password })),
      }));
      if (options.json) return jsonLines([{ user_id, email, ...told }]);
      return `Created the account ${user_id}: ${fullName} <${email}>, ${role}.\n${passwordLine(told)}`;
    },
  );

const resetPasswordCommand = (shell: Shell, group: 'user'): Command =>
  operating<PasswordOptions & Json>(
    new Command('reset-password')
      .description('Give an account a new password. All its logins end: its keys are valid no more.')
      .argument('<user>', USER)
      .addOption(passwordFile()),
    { group, shell },
    async (options, { config, operate }, [user = '']) => {
      const [{ user_id, email, is_active }, told] = await withNewPassword(
        options,
        { shell, config, user },
        (password) => operate('user reset-password', { user, password }),
      );
      if (options.json) return jsonLines([{ user_id, email, ...told }]);
      const inactive = is_active ? '' : '  The account is deactivated, and cannot log in until it is reactivated.\n';
      return `${email} has a new password, and its logins have ended.\n${passwordLine(told)}${inactive}`;
    },
  );

const setRoleCommand = (shell: Shell, group: 'user'): Command =>
  operating<Json>(
    new Command('set-role')
      .description('Give an account another role. The last owner stays one.')
      .argument('<user>', USER)
      .addArgument(new Argument('<role>', 'the role').choices(ROLE_NAMES)),
    { group, shell },
    async ({ json }, { operate }, [user = '', name]) => {
      const { was, ...account } = await operate('user set-role', { user, role: chosen(ROLE_NAMES, name) });
      if (json) return jsonLines([account]);
      const { email, role } = account;
      return role === was
        ? `${email} had the role ${role} already.\n`
        : `${email} has the role ${role} now, not ${was}.\n`;
    },
  );

const deactivateCommand = (shell: Shell, group: 'user'): Command =>
  operating<Json>(
    new Command('deactivate')
      .description(
        "Refuse an account's logins from now on. A person's bots are deactivated, too; the last owner is not.",
      )
      .argument('<user>', USER),
    { group, shell },
    async ({ json }, { config, operate }, [user = '']) => {
      const { was_active, ...account } = await operate('user deactivate', { user });
      await removePasswordFiles(config, user, account);
      if (json) return jsonLines([account]);
      return `${account.email} ${was_active ? 'is deactivated' : 'was deactivated already'}.\n`;
    },
  );

const reactivateCommand = (shell: Shell, group: 'user'): Command =>
  operating<Json>(
    new Command('reactivate')
      .description('Accept the logins of a deactivated account again. Its keys are valid as before.')
      .argument('<user>', USER),
    { group, shell },
    async ({ json }, { operate }, [user = '']) => {
      const { was_active, ...account } = await operate('user reactivate', { user });
      if (json) return jsonLines([account]);
      return `${account.email} ${was_active ? 'was active already' : 'is active again'}.\n`;
    },
  );

const keysCommand = (shell: Shell, group: 'user'): Command =>
  operating<Json>(
    new Command('keys')
      .description("Print an account's API keys: each is a login. What a key says is stored nowhere.")
      .argument('<user>', USER),
    { group, shell },
    async ({ json }, { operate }, [user = '']) => {
      const keys = await operate('user keys', { user });
      if (json) return jsonLines(keys);
      const rows = keys.map(({ id, client, created_at, last_used_at }) => [
        id,
        time(created_at),
        last_used_at === null ? '-' : time(last_used_at),
        client,
      ]);
      return table([['id', 'issued', 'last used', 'client'], ...rows]);
    },
  );

const time = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 16)}Z`;

const endKeysCommand = (shell: Shell, group: 'user'): Command =>
  operating<Json>(
    new Command('end-keys')
      .description("End an account's API keys, and so its logins: all, or those that are named.")
      .argument('<user>', USER)
      .argument('[keys...]', 'ids of keys, as `annals user keys` prints them'),
    { group, shell },
    async ({ json }, { operate }, [user = '', ...keys]) => {
      const outcome = await operate('user end-keys', { user, keys });
      if (json) return jsonLines([outcome]);
      const { email, ended, left } = outcome;
      return `${ended} ${ended === 1 ? 'key' : 'keys'} of ${email} ended, ${left} left.\n`;
    },
  );
