import { Argument, Command } from 'commander';
import { ACTION_NAMES } from '../../directory/named-action.js';
import type { ExplainedCheck } from '../../features/permissions/queries/explain-permission.js';
import { UsageError } from './failure.js';
import { chosen, type Json, jsonLines, operating, table } from './operator-command.js';
import type { Shell } from './shell.js';

export const whyCommand = (shell: Shell): Command =>
  operating<Json>(
    new Command('why')
      .description(
        'Explain why an account may do something, or may not: annals why iris@example.com may post in general. A server may be running.',
      )
      .argument('<user>', "the account's email address or its id")
      .addArgument(new Argument('<may>', 'the word').choices(['may']))
      .addArgument(
        new Argument('<action>', 'a word, or the setting of the API that permits the action').choices(ACTION_NAMES),
      )
      .addArgument(new Argument('[in]', 'the word').choices(['in']))
      .argument('[channel]', "the channel's name or its id; without it, an action in the organization"),
    { group: 'why', shell },
    async ({ json }, { operate }, [user = '', , name, inside, channel = null]) => {
      if (inside !== undefined && channel === null) throw new UsageError('name the channel after in');
      const why = await operate('why', { user, action: chosen(ACTION_NAMES, name), channel });
      if (json) return jsonLines([why]);
      const place = why.channel === null ? '' : ` in ${why.channel}`;
      const answer = `${why.allowed ? 'Yes' : 'No'}: ${why.email} ${why.allowed ? 'may' : 'may not'} ${why.action}${place}.\n`;
      const rows = why.checks.map((check) => [
        check.decides ? '*' : '',
        check.holds ? 'yes' : 'no',
        asked(check),
        because(check),
      ]);
      return `${answer}${table([['', '', 'asked', 'because'], ...rows])}* decides\n`;
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
