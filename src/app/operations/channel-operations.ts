import type { Directory } from '../../directory/directory.js';
import type { ChannelRecord } from '../../directory/directory.records.js';
import { channelName } from '../../features/channels/domain/channels.state.js';
import { CreateChannel } from '../../features/channels/domain/create-channel.js';
import { SubscribeUsers } from '../../features/channels/domain/subscribe-users.js';
import { ArchiveChannel, UpdateChannel } from '../../features/channels/domain/update-channel.js';
import { activeAccountNamed, activeOwner, channelNamed, operation, text, texts, yesOrNo } from './operation.js';

/** A channel as operators see it. */
interface ShownChannel {
  readonly channel_id: number;
  readonly name: string;
  readonly description: string;
  readonly is_private: boolean;
  /** New accounts are subscribed to it. */
  readonly is_default: boolean;
  readonly is_archived: boolean;
  /** Number of active subscribers. */
  readonly subscribers: number;
}

const shown = (
  { _id, name, description, inviteOnly, isArchived }: ChannelRecord,
  directory: Directory,
): ShownChannel => ({
  channel_id: _id,
  name,
  description,
  is_private: inviteOnly,
  is_default: directory.organization?.defaultChannelIds.includes(_id) ?? false,
  is_archived: isArchived,
  subscribers: directory.subscriberIds(_id).length,
});

export const channelOperations = {
  'channel list': operation({}, (_, { directory }) =>
    directory.allChannels().map((channel) => shown(channel, directory)),
  ),

  'channel create': operation(
    { name: text, description: text, inviteOnly: yesOrNo, isDefault: yesOrNo, users: texts },
    async ({ users, name, ...options }, { directory, commands, by }) => {
      const subscriberIds = users.map((user) => activeAccountNamed(user, directory)._id);
      const channel = { ...options, name, historyPublicToSubscribers: null, subscriberIds };
      const creatorId = activeOwner(directory)._id;
      const channelId = await commands.execute(new CreateChannel({ channel, creatorId, by }));
      return { channel_id: channelId, name: channelName(name) };
    },
  ),

  'channel archive': operation({ channel: text }, async ({ channel }, { directory, commands, by }) => {
    const before = shown(channelNamed(channel, directory), directory);
    await commands.execute(new ArchiveChannel({ channelId: before.channel_id, by }));
    return { ...before, is_archived: true, was_archived: before.is_archived };
  }),

  'channel unarchive': operation({ channel: text }, async ({ channel }, { directory, commands, by }) => {
    const before = shown(channelNamed(channel, directory), directory);
    const changes = { isArchived: false };
    await commands.execute(new UpdateChannel({ channelId: before.channel_id, changes, by }));
    return { ...before, is_archived: false, was_archived: before.is_archived };
  }),

  'channel subscribe': operation(
    { channel: text, users: texts },
    async ({ channel, users }, { directory, commands, by }) => {
      const { _id: channelId, name } = channelNamed(channel, directory);
      const accounts = users.map((user) => activeAccountNamed(user, directory));
      const userIds = accounts.map(({ _id }) => _id);
      const joined = await commands.execute(new SubscribeUsers({ channelId, userIds, color: null, by }));
      const emails = accounts.filter(({ _id }) => joined.includes(_id)).map(({ email }) => email);
      return { channel_id: channelId, name, subscribed: [...new Set(emails)] };
    },
  ),
};
