import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { ChannelRecord, UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { may } from '../../../directory/permissions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { defaultChannelIdsFor } from '../../organization/queries/organization.queries.js';
import { type ChannelForClients, channelForClients } from './channels-for-clients.js';
import { firstMessageIds } from './first-message-ids.js';

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

@QueryHandler(GetChannels)
export class GetChannelsHandler implements IQueryHandler<GetChannels> {
  constructor(private readonly facts: Facts) {}

  /** @throws DomainError NOT_AUTHORIZED_FOR_QUERY */
  async execute({ reader, include }: GetChannels): Promise<readonly ListedChannel[]> {
    const { directory } = this.facts;
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
    const first = await firstMessageIds(
      this.facts.readModels,
      found.map(({ _id }) => _id),
    );
    return found.map((channel) => ({
      ...channelForClients(channel, directory, { firstMessageId: first.get(channel._id) ?? null }),
      ...(include.default ? { is_default: defaults.has(channel._id) } : {}),
    }));
  }
}
