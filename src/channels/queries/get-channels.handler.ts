import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import type { ChannelRecord, UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import { type ChannelForClients, channelForClients } from '../../directory/records-for-clients.js';
import { firstMessageIds } from '../../event-queues/queries/first-message-ids.js';
import { refuse } from '../../kernel/domain-error.js';

export class GetChannels {
  constructor(
    readonly reader: UserRecord,
    readonly include: {
      readonly public: boolean;
      readonly subscribed: boolean;
      /** Every channel of the organisation; for administrators. */
      readonly all: boolean;
      readonly archived: boolean;
    },
  ) {}
}

@QueryHandler(GetChannels)
export class GetChannelsHandler implements IQueryHandler<GetChannels, readonly ChannelForClients[]> {
  constructor(
    private readonly directory: Directory,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** @throws DomainError NOT_AUTHORIZED_FOR_QUERY */
  async execute({ reader, include }: GetChannels): Promise<readonly ChannelForClients[]> {
    if (include.all && !may(reader, 'administer', this.directory)) refuse('NOT_AUTHORIZED_FOR_QUERY');
    const wanted = (channel: ChannelRecord): boolean =>
      include.all ||
      (include.public && !channel.inviteOnly) ||
      (include.subscribed && this.directory.isSubscribed(reader._id, channel._id));
    const found = this.directory
      .allChannels()
      .filter((channel) => include.archived || !channel.isArchived)
      .filter((channel) => wanted(channel) && may(reader, { channel, to: 'see' }, this.directory));
    const ids = found.map(({ _id }) => _id);
    const first = await firstMessageIds(this.readModels, ids);
    return found.map((channel) =>
      channelForClients(channel, this.directory, { firstMessageId: first.get(channel._id) ?? null }),
    );
  }
}
