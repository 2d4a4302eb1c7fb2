import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import { type SubscriptionForClients, subscriptionForClients } from '../../directory/records-for-clients.js';
import { firstMessageIds } from '../../event-queues/queries/first-message-ids.js';

export class GetSubscriptions {
  constructor(
    readonly userId: number,
    readonly includeSubscribers: boolean,
  ) {}
}

@QueryHandler(GetSubscriptions)
export class GetSubscriptionsHandler implements IQueryHandler<GetSubscriptions, readonly SubscriptionForClients[]> {
  constructor(
    private readonly directory: Directory,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async execute({ userId, includeSubscribers }: GetSubscriptions): Promise<readonly SubscriptionForClients[]> {
    const options = { includeSubscribers, notificationSettingsNull: true };
    const channelIds = this.directory.subscribedChannelIds(userId);
    const first = await firstMessageIds(this.readModels, channelIds);
    return channelIds
      .flatMap((channelId) => this.directory.channel(channelId) ?? [])
      .filter((channel) => !channel.isArchived)
      .map((channel) =>
        subscriptionForClients(channel, userId, this.directory, options, {
          firstMessageId: first.get(channel._id) ?? null,
        }),
      );
  }
}
