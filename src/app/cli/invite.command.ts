import { Command, InvalidArgumentError, Option } from 'commander';
import { ROLE_NAMES, type RoleName } from '../operations/role-names.js';
import { groupOf, operating, table } from './operator-command.js';

const MINUTES_A_DAY = 1440;
/** As long as the API allows. */
const MOST_DAYS = 3650;

interface CreateOptions {
  readonly role: RoleName;
  readonly channel: readonly string[];
  readonly days: number | 'never';
}

const create = operating<CreateOptions>(
  () =>
    new Command('create')
      .description(
        'Create a link by which many people can join, in the name of an active owner. They are in the default channels.',
      )
      .addOption(new Option('--role <role>', 'the role of whoever joins').choices(ROLE_NAMES).default('member'))
      .addOption(new Option('--channel <channel...>', 'further channels, by name or id').default([], 'none'))
      .addOption(
        new Option('--days <days>', `the link's days, at most ${MOST_DAYS}, or never: it does not end`)
          .argParser(daysTyped)
          .default(10),
      ),
  async ({ operate }, _, { role, channel: channels, days }) => {
    const minutes = days === 'never' ? null : days * MINUTES_A_DAY;
    const link = await operate('invite create', { role, channels, minutes });
    return [link, `${link.link_url}\n`];
  },
);

function daysTyped(typed: string): number | 'never' {
  if (typed === 'never') return typed;
  const number = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  if (number >= 1 && number <= MOST_DAYS) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_DAYS}, or never.`);
}

const list = operating(
  () =>
    new Command('list').description('Print the links by which many people can join. Whoever has a link can use it.'),
  async ({ operate }) => {
    const links = await operate('invite list', {});
    const rows = links.map((link) => [
      String(link.id),
      link.role,
      link.expiry_date === null ? 'never' : new Date(link.expiry_date * 1000).toISOString().slice(0, 10),
      link.is_usable ? link.invited_by : `${link.invited_by}, who may no longer invite`,
      link.link_url,
    ]);
    return [links, table([['id', 'role', 'ends', 'by', 'link'], ...rows])];
  },
);

const revoke = operating(
  () =>
    new Command('revoke')
      .description('End a link: nobody joins by it any more.')
      .argument('<link>', 'its id, as `annals invite list` prints it, or its URL'),
  async ({ operate }, [link = '']) => {
    const revoked = await operate('invite revoke', { link });
    return [revoked, `The link ${revoked.id} has ended.\n`];
  },
);

export const inviteCommand = groupOf('invite', 'Create, list and revoke links by which people join.', [
  create,
  list,
  revoke,
]);
