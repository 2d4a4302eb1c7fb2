import { Command } from 'commander';
import { groupOf, operating, table } from './operator-command.js';

const CHANNEL = "the channel's name or its id";

const list = operating(
  () => new Command('list').description('Print all channels, private and archived ones too.'),
  async ({ operate }) => {
    const channels = await operate('channel list', {});
    const rows = channels.map((channel) => [
      String(channel.channel_id),
      channel.name,
      channel.is_private ? 'private' : channel.is_default ? 'public, default' : 'public',
      channel.is_archived ? 'archived' : 'active',
      String(channel.subscribers),
      channel.description,
    ]);
    return [channels, table([['id', 'name', 'kind', 'state', 'subscribers', 'description'], ...rows])];
  },
);

interface CreateOptions {
  readonly description: string;
  readonly private?: true;
  readonly default?: true;
}

const create = operating<CreateOptions>(
  () =>
    new Command('create')
      .description('Create a channel in the name of an active owner, and subscribe accounts to it.')
      .argument('<name>', 'the name of the new channel')
      .argument('[users...]', 'first subscribers: addresses or ids of accounts')
      .option('--description <text>', 'what the channel is for, in Markdown', '')
      .option('--private', 'only subscribers read it; others join when they are added')
      .option('--default', 'accounts that are made from now on are subscribed to it'),
  async ({ operate }, [name = '', ...users], options) => {
    const { description, private: inviteOnly = false, default: isDefault = false } = options;
    const created = await operate('channel create', { name, description, inviteOnly, isDefault, users });
    const kind = inviteOnly ? 'private' : 'public';
    return [created, `Created the ${kind} channel ${created.channel_id}: ${created.name}.\n`];
  },
);

const archive = operating(
  () =>
    new Command('archive')
      .description('Take no more messages in a channel. It keeps its name, messages and subscribers.')
      .argument('<channel>', CHANNEL),
  async ({ operate }, [channel = '']) => {
    const { was_archived, ...archived } = await operate('channel archive', { channel });
    return [archived, `${archived.name} ${was_archived ? 'was archived already' : 'is archived'}.\n`];
  },
);

const unarchive = operating(
  () =>
    new Command('unarchive')
      .description('Take messages in an archived channel again. A private one needs a subscriber.')
      .argument('<channel>', CHANNEL),
  async ({ operate }, [channel = '']) => {
    const { was_archived, ...unarchived } = await operate('channel unarchive', { channel });
    return [unarchived, `${unarchived.name} ${was_archived ? 'takes messages again' : 'was not archived'}.\n`];
  },
);

const subscribe = operating(
  () =>
    new Command('subscribe')
      .description('Subscribe accounts to a channel, a private one too.')
      .argument('<channel>', CHANNEL)
      .argument('<users...>', 'addresses or ids of accounts'),
  async ({ operate }, [channel = '', ...users]) => {
    const outcome = await operate('channel subscribe', { channel, users });
    const { name, subscribed } = outcome;
    if (subscribed.length === 0) return [outcome, `All of them were subscribed to ${name} already.\n`];
    return [outcome, `Subscribed to ${name}: ${subscribed.join(', ')}.\n`];
  },
);

export const channelCommand = groupOf('channel', 'List, create and change channels.', [
  list,
  create,
  archive,
  unarchive,
  subscribe,
]);
