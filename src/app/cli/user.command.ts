import { Command, Option } from 'commander';
import { ROLE_NAMES, type RoleName } from '../operations/role-names.js';
import { type NewPassword, type PasswordOptions, passwordLine, withNewPassword } from './new-password.js';
import { groupOf, operating } from './operator-command.js';
import type { Shell } from './shell.js';
import { jsonLines, table } from './table.js';

interface Json {
  readonly json?: true;
}

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
      return withNewPassword(options, { shell, config, user: email }, async (chosen) => {
        const { user_id } = await operate('user create', { email, fullName, role, password: chosen.password });
        if (options.json) return jsonLines([{ user_id, email, ...chosen.told }]);
        return `Created the account ${user_id}: ${fullName} <${email}>, ${role}.\n${passwordLine(chosen)}`;
      });
    },
  );

const resetPasswordCommand = (shell: Shell, group: 'user'): Command =>
  operating<PasswordOptions & Json>(
    new Command('reset-password')
      .description('Give an account a new password. All its logins end: its keys are valid no more.')
      .argument('<user>', USER)
      .addOption(passwordFile()),
    { group, shell },
    async (options, { config, operate }, [user = '']) =>
      withNewPassword(options, { shell, config, user }, async (chosen: NewPassword) => {
        const { user_id, email, is_active } = await operate('user reset-password', { user, password: chosen.password });
        if (options.json) return jsonLines([{ user_id, email, ...chosen.told }]);
        const inactive = is_active ? '' : '  The account is deactivated, and cannot log in until it is reactivated.\n';
        return `${email} has a new password, and its logins have ended.\n${passwordLine(chosen)}${inactive}`;
      }),
  );
