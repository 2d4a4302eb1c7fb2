import { Command } from 'commander';
import { groupOf, type Json, jsonLines, operating, table } from './operator-command.js';
import type { Shell } from './shell.js';

const CHANNEL = "the channel's name or its id";

export function channelCommand(shell: Shell): Command {
  const group = 'channel';
  return groupOf(group, 'List, create and change channels.', [
    listCommand(shell, group),
    createCommand(shell, group),
    archiveCommand(shell, group),
    unarchiveCommand(shell, group),
    subscribeCommand(shell, group),
  ]);
}

const listCommand = (shell: Shell, group: 'channel'): Command =>
  operating<Json>(
    new Command('list').description('Print all channels, private and archived ones too.'),
    { group, shell },
    async ({ json }, { operate }) => {
      const channels = await operate('channel list', {});
      if (json) return jsonLines(channels);
      const rows = channels.map((channel) => [
        String(channel.channel_id),
        channel.name,
        channel.is_private ? 'private' : channel.is_default ? 'public, default' : 'public',
        channel.is_archived ? 'archived' : 'active',
        String(channel.subscribers),
        channel.description,
      ]);
      return table([['id', 'name', 'kind', 'state', 'subscribers', 'description'], ...rows]);
    },
  );

interface CreateOptions extends Json {
  readonly description: string;
  readonly private?: true;
  readonly default?: true;
}

const createCommand = (shell: Shell, group: 'channel'): Command =>
  operating<CreateOptions>(
    new Command('create')
      .description('Create a channel in the name of an active owner, and subscribe accounts to it.')
      .argument('<name>', 'the name of the new channel')
      .argument('[users...]', 'first subscribers: addresses or ids of accounts')
      .option('--description <text>', 'what the channel is for, in Markdown', '')
      .option('--private', 'only subscribers read it; others join when they are added')
      .option('--default', 'accounts that are made from now on are subscribed to it'),
    { group, shell },
    async (options, { operate }, [name = '', ...users]) => {
      const { description, private: inviteOnly = false, default: isDefault = false } = options;
      const fields = { name, description, inviteOnly, isDefault, users };
      const created = await operate('channel create', fields);
      if (options.json) return jsonLines([created]);
      return `Created the ${inviteOnly ? 'private' : 'public'} channel ${created.channel_id}: ${created.name}.\n`;
    },
  );

const archiveCommand = (shell: Shell, group: 'channel'): Command =>
  operating<Json>(
    new Command('archive')
      .description('Take no more messages in a channel. It keeps its name, messages and subscribers.')
      .argument('<channel>', CHANNEL),
    { group, shell },
    async ({ json }, { operate }, [channel = '']) => {
      const { was_archived, ...archived } = await operate('channel archive', { channel });
      if (json) return jsonLines([archived]);
      return `${archived.name} ${was_archived ? 'was archived already' : 'is archived'}.\n`;
    },
  );

const unarchiveCommand = (shell: Shell, group: 'channel'): Command =>
  operating<Json>(
    new Command('unarchive')
      .description('Take messages in an archived channel again. A private one needs a subscriber.')
      .argument('<channel>', CHANNEL),
    { group, shell },
    async ({ json }, { operate }, [channel = '']) => {
      const { was_archived, ...unarchived } = await operate('channel unarchive', { channel });
      if (json) return jsonLines([unarchived]);
      return `${unarchived.name} ${was_archived ? 'takes messages again' : 'was not archived'}.\n`;
    },
  );

const subscribeCommand = (shell: Shell, group: 'channel'): Command =>
  operating<Json>(
    new Command('subscribe')
      .description('Subscribe accounts to a channel, a private one too.')
      .argument('<channel>', CHANNEL)
      .argument('<users...>', 'addresses or ids of accounts'),
    { group, shell },
    async ({ json }, { operate }, [channel = '', ...users]) => {
      const outcome = await operate('channel subscribe', { channel, users });
      if (json) return jsonLines([outcome]);
      const { name, subscribed } = outcome;
      if (subscribed.length === 0) return `All of them were subscribed to ${name} already.\n`;
      return `Subscribed to ${name}: ${subscribed.join(', ')}.\n`;
    },
  );
