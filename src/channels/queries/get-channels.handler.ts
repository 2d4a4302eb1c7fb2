import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { defaultChannelIdsFor } from '../../directory/default-channels.js';
import { Directory } from '../../directory/directory.js';
import type { ChannelRecord, UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import { type ChannelForClients, channelForClients } from '../../directory/records-for-clients.js';
import { firstMessageIds } from '../../event-queues/queries/first-message-ids.js';
import { refuse } from '../../kernel/domain-error.js';

export class GetChannels {
  constructor(
    readonly reader: UserRecord,
    /** Which channels, of those that the reader sees: whatever any of these names. */
    readonly include: {
      readonly public: boolean;
      readonly subscribed: boolean;
      /** Whatever the reader may read. */
      readonly readable: boolean;
      /** Those that new users are subscribed to; and each channel tells whether it is one. */
      readonly default: boolean;
      /** A bot's owner's. */
      readonly ownerSubscribed: boolean;
      readonly all: boolean;
      /** The same, asked for by those who may administer the organisation. */
      readonly allAsAdministrator: boolean;
      /** Archived ones too. */
      readonly archived: boolean;
    },
  ) {}
}

export interface ListedChannel extends ChannelForClients {
  readonly is_default?: boolean;
}

@QueryHandler(GetChannels)
export class GetChannelsHandler implements IQueryHandler<GetChannels, readonly ListedChannel[]> {
  constructor(
    private readonly directory: Directory,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** @throws DomainError NOT_AUTHORIZED_FOR_QUERY */
  async execute({ reader, include }: GetChannels): Promise<readonly ListedChannel[]> {
    const { directory } = this;
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
      this.readModels,
      found.map(({ _id }) => _id),
    );
    return found.map((channel) => ({
      ...channelForClients(channel, directory, { firstMessageId: first.get(channel._id) ?? null }),
      ...(include.default ? { is_default: defaults.has(channel._id) } : {}),
    }));
  }
}
