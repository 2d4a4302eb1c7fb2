import { Command, InvalidArgumentError, Option } from 'commander';
import { ROLE_NAMES, type RoleName } from '../operations/role-names.js';
import { groupOf, type Json, jsonLines, operating, table } from './operator-command.js';
import type { Shell } from './shell.js';

const MINUTES_A_DAY = 1440;
/** As long as the API allows. */
const MOST_DAYS = 3650;

export function inviteCommand(shell: Shell): Command {
  const group = 'invite';
  return groupOf(group, 'Create, list and revoke links by which people join.', [
    createCommand(shell, group),
    listCommand(shell, group),
    revokeCommand(shell, group),
  ]);
}

interface CreateOptions extends Json {
  readonly role: RoleName;
  readonly channel: readonly string[];
  readonly days: number | 'never';
}

const createCommand = (shell: Shell, group: 'invite'): Command =>
  operating<CreateOptions>(
    new Command('create')
      .description(
        'Create a link by which many people can join, in the name of an active owner. They are in the default channels.',
      )
      .addOption(new Option('--role <role>', 'the role of whoever joins').choices(ROLE_NAMES).default('member'))
      .addOption(new Option('--channel <channel...>', 'further channels, by name or id').default([], 'none'))
      .addOption(
        new Option('--days <days>', `the link's days, at most ${MOST_DAYS}, or never: it does not end`)
          .argParser(days)
          .default(10),
      ),
    { group, shell },
    async ({ role, channel: channels, days, json }, { operate }) => {
      const minutes = days === 'never' ? null : days * MINUTES_A_DAY;
      const link = await operate('invite create', { role, channels, minutes });
      return json ? jsonLines([link]) : `${link.link_url}\n`;
    },
  );

function days(typed: string): number | 'never' {
  if (typed === 'never') return typed;
  const number = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  if (number >= 1 && number <= MOST_DAYS) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_DAYS}, or never.`);
}

const listCommand = (shell: Shell, group: 'invite'): Command =>
  operating<Json>(
    new Command('list').description('Print the links by which many people can join. Whoever has a link can use it.'),
    { group, shell },
    async ({ json }, { operate }) => {
      const links = await operate('invite list', {});
      if (json) return jsonLines(links);
      const rows = links.map((link) => [
        String(link.id),
        link.role,
        link.expiry_date === null ? 'never' : new Date(link.expiry_date * 1000).toISOString().slice(0, 10),
        link.is_usable ? link.invited_by : `${link.invited_by}, who may no longer invite`,
        link.link_url,
      ]);
      return table([['id', 'role', 'ends', 'by', 'link'], ...rows]);
    },
  );

const revokeCommand = (shell: Shell, group: 'invite'): Command =>
  operating<Json>(
    new Command('revoke')
      .description('End a link: nobody joins by it any more.')
      .argument('<link>', 'its id, as `annals invite list` prints it, or its URL'),
    { group, shell },
    async ({ json }, { operate }, [link = '']) => {
      const revoked = await operate('invite revoke', { link });
      return json ? jsonLines([revoked]) : `The link ${revoked.id} has ended.\n`;
    },
  );
