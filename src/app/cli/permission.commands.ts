import { Argument, Command } from 'commander';
import { ACTION_NAMES } from '../../directory/named-action.js';
import { SPECIAL_PERMISSIONS } from '../../events/users/users.settings.js';
import type { ExplainedCheck } from '../../features/permissions/queries/explain-permission.js';
import { UsageError } from './failure.js';
import { chosen, operating, table } from './operator-command.js';

const USER = "the account's email address or its id";

export const grantCommand = operating<{ readonly revoke?: true }>(
  () =>
    new Command('grant')
      .description('Give an account a permission that no role has, or take it away. A server may be running.')
      .addArgument(new Argument('<permission>', 'the permission').choices(SPECIAL_PERMISSIONS))
      .argument('<user>', USER)
      .option('--revoke', 'take the permission away'),
  async ({ operate }, [name, user = ''], { revoke = false }) => {
    const permission = chosen(SPECIAL_PERMISSIONS, name);
    const outcome = await operate('grant', { permission, user, isGranted: !revoke });
    if (revoke) return [outcome, `${user} ${outcome.changed ? 'no longer has' : 'did not have'} ${permission}.\n`];
    return [outcome, `${user} ${outcome.changed ? `has ${permission} now` : `had ${permission} already`}.\n`];
  },
);

export const whyCommand = operating(
  () =>
    new Command('why')
      .description(
        'Explain why an account may do something, or may not: annals why iris@example.com may post in general. A server may be running.',
      )
      .argument('<user>', USER)
      .addArgument(new Argument('<may>', 'the word').choices(['may']))
      .addArgument(
        new Argument('<action>', 'a word, or the setting of the API that permits the action').choices(ACTION_NAMES),
      )
      .addArgument(new Argument('[in]', 'the word').choices(['in']))
      .argument('[channel]', "the channel's name or its id; without it, an action in the organization"),
  async ({ operate }, [user = '', , name, inside, channel = null]) => {
    if (inside !== undefined && channel === null) throw new UsageError('name the channel after in');
    const why = await operate('why', { user, action: chosen(ACTION_NAMES, name), channel });
    const place = why.channel === null ? '' : ` in ${why.channel}`;
    const answer = `${why.allowed ? 'Yes' : 'No'}: ${why.email} ${why.allowed ? 'may' : 'may not'} ${why.action}${place}.\n`;
    const rows = why.checks.map((check) => [
      check.decides ? '*' : '',
      check.holds ? 'yes' : 'no',
      asked(check),
      because(check),
    ]);
    return [why, `${answer}${table([['', '', 'asked', 'because'], ...rows])}* decides\n`];
  },
);

const asked = (check: ExplainedCheck): string =>
  check.asks === 'fact' ? check.fact : `${check.setting} of the ${check.of}`;

function because(check: ExplainedCheck): string {
  if (check.asks === 'fact') return '';
  const { groups = [], names_account: isNamed = false } = check;
  if (check.holds) {
    const within = groups.filter(({ is_in }) => is_in).map(({ name }) => name);
    return isNamed ? 'it names the account' : `the account is in ${within.join(', ')}`;
  }
  const names = groups.map(({ name }) => name).join(', ');
  if (!check.guests && (isNamed || groups.some(({ is_in }) => is_in))) return `no guest has it: ${names}`;
  return `it is for ${names || 'others'}`;
}
