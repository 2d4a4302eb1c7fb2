import { Argument, Command, Option } from 'commander';
import { ROLE_NAMES, type RoleName } from '../operations/role-names.js';
import { type PasswordOptions, passwordLine, removePasswordFiles, withNewPassword } from './new-password.js';
import { chosen, groupOf, operating, table } from './operator-command.js';

const USER = "the account's email address or its id";
const passwordFile = (): Option =>
  new Option(
    '--password-file <file>',
    'file with the password in its first line; - is standard input. Without this it is random: shown once on a terminal, else in a file',
  );

const list = operating(
  () => new Command('list').description('Print all accounts, bots and deactivated ones too.'),
  async ({ operate }) => {
    const users = await operate('user list', {});
    const rows = users.map((user) => [
      String(user.user_id),
      user.email,
      user.full_name,
      user.is_bot ? `${user.role}, bot` : user.role,
      user.is_active ? 'active' : 'deactivated',
      String(user.keys),
    ]);
    return [users, table([['id', 'email', 'name', 'role', 'state', 'keys'], ...rows])];
  },
);

interface CreateOptions extends PasswordOptions {
  readonly name: string;
  readonly role: RoleName;
}

const create = operating<CreateOptions>(
  () =>
    new Command('create')
      .description('Create an account, in the default channels.')
      .argument('<email>', 'the address of the new account')
      .requiredOption('--name <full name>', 'the full name')
      .addOption(new Option('--role <role>', 'the role').choices(ROLE_NAMES).default('member'))
      .addOption(passwordFile()),
  async ({ config, shell, operate }, [email = ''], options) => {
    const { name: fullName, role } = options;
    const [{ user_id }, printed] = await withNewPassword(options, { shell, config, user: email }, async (password) => ({
      email,
      ...(await operate('user create', { email, fullName, role, password })),
    }));
    const text = `Created the account ${user_id}: ${fullName} <${email}>, ${role}.\n${passwordLine(printed)}`;
    return [{ user_id, email, ...printed }, text];
  },
);

const resetPassword = operating<PasswordOptions>(
  () =>
    new Command('reset-password')
      .description('Give an account a new password. All its logins end: its keys are valid no more.')
      .argument('<user>', USER)
      .addOption(passwordFile()),
  async ({ config, shell, operate }, [user = ''], options) => {
    const [{ user_id, email, is_active }, printed] = await withNewPassword(
      options,
      { shell, config, user },
      (password) => operate('user reset-password', { user, password }),
    );
    const inactive = is_active ? '' : '  The account is deactivated, and cannot log in until it is reactivated.\n';
    const text = `${email} has a new password, and its logins have ended.\n${passwordLine(printed)}${inactive}`;
    return [{ user_id, email, ...printed }, text];
  },
);

const setRole = operating(
  () =>
    new Command('set-role')
      .description('Give an account another role. The last owner stays one.')
      .argument('<user>', USER)
      .addArgument(new Argument('<role>', 'the role').choices(ROLE_NAMES)),
  async ({ operate }, [user = '', name]) => {
    const { was, ...account } = await operate('user set-role', { user, role: chosen(ROLE_NAMES, name) });
    const { email, role } = account;
    return [
      account,
      `${email} ${role === was ? `had the role ${role} already` : `has the role ${role} now, not ${was}`}.\n`,
    ];
  },
);

const deactivate = operating(
  () =>
    new Command('deactivate')
      .description(
        "Refuse an account's logins from now on. A person's bots are deactivated, too; the last owner is not.",
      )
      .argument('<user>', USER),
  async ({ config, operate }, [user = '']) => {
    const { was_active, ...account } = await operate('user deactivate', { user });
    await removePasswordFiles(config, user, account);
    return [account, `${account.email} ${was_active ? 'is deactivated' : 'was deactivated already'}.\n`];
  },
);

const reactivate = operating(
  () =>
    new Command('reactivate')
      .description('Accept the logins of a deactivated account again. Its keys are valid as before.')
      .argument('<user>', USER),
  async ({ operate }, [user = '']) => {
    const { was_active, ...account } = await operate('user reactivate', { user });
    return [account, `${account.email} ${was_active ? 'was active already' : 'is active again'}.\n`];
  },
);

const keys = operating(
  () =>
    new Command('keys')
      .description("Print an account's API keys: each is a login. What a key says is stored nowhere.")
      .argument('<user>', USER),
  async ({ operate }, [user = '']) => {
    const issued = await operate('user keys', { user });
    const rows = issued.map(({ id, client, created_at, last_used_at }) => [
      id,
      time(created_at),
      last_used_at === null ? '-' : time(last_used_at),
      client,
    ]);
    return [issued, table([['id', 'issued', 'last used', 'client'], ...rows])];
  },
);

const time = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 16)}Z`;

const endKeys = operating(
  () =>
    new Command('end-keys')
      .description("End an account's API keys, and so its logins: all, or those that are named.")
      .argument('<user>', USER)
      .argument('[keys...]', 'ids of keys, as `annals user keys` prints them'),
  async ({ operate }, [user = '', ...named]) => {
    const outcome = await operate('user end-keys', { user, keys: named });
    const { email, ended, left } = outcome;
    return [outcome, `${ended} ${ended === 1 ? 'key' : 'keys'} of ${email} ended, ${left} left.\n`];
  },
);

export const userCommand = groupOf('user', 'List, create and change accounts.', [
  list,
  create,
  resetPassword,
  setRole,
  deactivate,
  reactivate,
  keys,
  endKeys,
]);
