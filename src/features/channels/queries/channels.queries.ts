import { messages } from '../../../../projections/messages/messages.projection.js';
import { TOPICS, type TopicDocument } from '../../../../projections/messages/topic-documents.js';
import { Directory } from '../../../directory/directory.js';
import type { ChannelRecord, UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { channelFor, may } from '../../../directory/permissions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { defaultChannelIdsFor } from '../../organization/queries/organization.queries.js';
import {
  type ChannelForClients,
  channelForClients,
  type SubscriptionForClients,
  subscriptionForClients,
} from './channels-for-clients.js';
import { firstMessageIds } from './first-message-ids.js';

/** @throws DomainError INVALID_CHANNEL_NAME, also if the reader may not know of the channel */
export class GetChannelId extends Query<{ reader: UserRecord; name: string }, number> {}

/**
 * The mail address that posts to a channel. Empty: the server receives no mail.
 *
 * @throws DomainError INVALID_CHANNEL_ID
 */
export class GetChannelEmailAddress extends Query<{ channelId: number; reader: UserRecord }, string> {}

/** @throws DomainError INVALID_CHANNEL_ID */
export class GetSubscribers extends Query<{ channelId: number; reader: UserRecord }, readonly number[]> {}

/** @throws DomainError USER_NOT_FOUND, PRINCIPAL_DEACTIVATED, INVALID_CHANNEL_ID */
export class GetSubscriptionStatus extends Query<{ userId: number; channelId: number; reader: UserRecord }, boolean> {}

/**
 * Whether the channel has a message in a topic other than the empty one.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function hasTopics(channelId: number, readModels: ReadModels): Promise<boolean> {
  const named = { channelId, topicKey: { $gt: '' } };
  return (await readModels.collection<TopicDocument>(messages, TOPICS).find(named, { limit: 1 })).length > 0;
}

/** @throws DomainError INVALID_CHANNEL_ID, also if the reader may not know of the channel */
export class GetChannel extends Query<{ reader: UserRecord; channelId: number }, ChannelForClients> {}

/** @throws DomainError NOT_AUTHORIZED_FOR_QUERY */
export class GetChannels extends Query<
  {
    reader: UserRecord;
    /** The union of these sets of channels, as far as the reader sees them. */
    include: {
      readonly public: boolean;
      readonly subscribed: boolean;
      /** Channels that the reader may read. */
      readonly readable: boolean;
      /** Default channels; also adds `is_default` to each channel. */
      readonly default: boolean;
      /** Channels of a bot's owner. */
      readonly ownerSubscribed: boolean;
      readonly all: boolean;
      /** The same as `all`; refused unless the reader may administer the organization. */
      readonly allAsAdministrator: boolean;
      /** Includes archived channels. */
      readonly archived: boolean;
    };
  },
  readonly ListedChannel[]
> {}

export interface ListedChannel extends ChannelForClients {
  readonly is_default?: boolean;
}

export class GetSubscriptions extends Query<
  {
    userId: number;
    includeSubscribers: boolean;
  },
  readonly SubscriptionForClients[]
> {}

export const channelQueries = [
  answersFrom(GetChannelId, Directory, ({ reader, name }, directory) => {
    const channel = directory.channelByName(name);
    if (!channel || !may(reader, { channel, to: 'see' }, directory)) return refuse('INVALID_CHANNEL_NAME', { name });
    return channel._id;
  }),
  answersFrom(GetChannelEmailAddress, Directory, ({ channelId, reader }, directory) => {
    channelFor(reader, channelId, 'see', directory);
    return '';
  }),
  answersFrom(GetSubscribers, Directory, ({ channelId, reader }, directory) =>
    directory.subscriberIds(channelFor(reader, channelId, 'see', directory)._id),
  ),
  answersFrom(GetSubscriptionStatus, Directory, ({ userId, channelId, reader }, directory) => {
    if (!directory.existingUser(userId).isActive) refuse('PRINCIPAL_DEACTIVATED');
    return directory.isSubscribed(userId, channelFor(reader, channelId, 'see', directory)._id);
  }),
  answersFrom(GetChannel, Facts, async ({ reader, channelId }, { directory, readModels }) => {
    const channel = channelFor(reader, channelId, 'see', directory);
    const first = await firstMessageIds(readModels, [channelId]);
    return channelForClients(channel, directory, { firstMessageId: first.get(channelId) ?? null });
  }),
  answersFrom(GetChannels, Facts, async ({ reader, include }, { directory, readModels }) => {
    if (include.allAsAdministrator && !may(reader, 'administer', directory)) refuse('NOT_AUTHORIZED_FOR_QUERY');
    const defaults = new Set(include.default ? defaultChannelIdsFor(reader, directory) : []);
    const isOwners = ({ _id }: ChannelRecord): boolean =>
      include.ownerSubscribed && reader.bot !== null && directory.isSubscribed(reader.bot.ownerId, _id);
    const isWanted = (channel: ChannelRecord): boolean =>
      include.all ||
      include.allAsAdministrator ||
      (include.public && !channel.inviteOnly) ||
      (include.subscribed && directory.isSubscribed(reader._id, channel._id)) ||
      (include.readable && may(reader, { channel, to: 'read' }, directory)) ||
      defaults.has(channel._id);
    const isListed = (channel: ChannelRecord): boolean =>
      isOwners(channel) || (isWanted(channel) && may(reader, { channel, to: 'see' }, directory));
    const found = directory
      .allChannels()
      .filter((channel) => (include.archived || !channel.isArchived) && isListed(channel));
    const ids = found.map(({ _id }) => _id);
    const first = await firstMessageIds(readModels, ids);
    return found.map((channel) => ({
      ...channelForClients(channel, directory, { firstMessageId: first.get(channel._id) ?? null }),
      ...(include.default ? { is_default: defaults.has(channel._id) } : {}),
    }));
  }),
  answersFrom(GetSubscriptions, Facts, async ({ userId, includeSubscribers }, { directory, readModels }) => {
    const options = { includeSubscribers, notificationSettingsNull: true };
    const channelIds = directory.subscribedChannelIds(userId);
    const first = await firstMessageIds(readModels, channelIds);
    return channelIds
      .flatMap((channelId) => directory.channel(channelId) ?? [])
      .filter((channel) => !channel.isArchived)
      .map((channel) => {
        const firstMessageId = first.get(channel._id) ?? null;
        return subscriptionForClients(channel, userId, directory, options, { firstMessageId });
      });
  }),
];
