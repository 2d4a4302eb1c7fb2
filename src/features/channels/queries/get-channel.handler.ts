import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { may } from '../../../directory/permissions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { type ChannelForClients, channelForClients } from './channels-for-clients.js';
import { firstMessageIds } from './first-message-ids.js';

export class GetChannel extends Query<{ reader: UserRecord; channelId: number }, ChannelForClients> {}

@QueryHandler(GetChannel)
export class GetChannelHandler implements IQueryHandler<GetChannel> {
  constructor(private readonly facts: Facts) {}

  /** @throws DomainError INVALID_CHANNEL_ID also where the reader may not know of the channel */
  async execute({ reader, channelId }: GetChannel): Promise<ChannelForClients> {
    const channel = this.facts.directory.channel(channelId);
    if (!channel || !may(reader, { channel, to: 'see' }, this.facts.directory)) return refuse('INVALID_CHANNEL_ID');
    const first = await firstMessageIds(this.facts.readModels, [channelId]);
    return channelForClients(channel, this.facts.directory, { firstMessageId: first.get(channelId) ?? null });
  }
}
