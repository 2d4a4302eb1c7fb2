import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { type SubscriptionForClients, subscriptionForClients } from '../../directory/records-for-clients.js';

export class GetSubscriptions {
  constructor(
    readonly userId: number,
    readonly includeSubscribers: boolean,
  ) {}
}

@QueryHandler(GetSubscriptions)
export class GetSubscriptionsHandler implements IQueryHandler<GetSubscriptions, readonly SubscriptionForClients[]> {
  constructor(private readonly directory: Directory) {}

  async execute({ userId, includeSubscribers }: GetSubscriptions): Promise<readonly SubscriptionForClients[]> {
    const options = { includeSubscribers, notificationSettingsNull: true };
    return this.directory
      .subscribedChannelIds(userId)
      .flatMap((channelId) => this.directory.channel(channelId) ?? [])
      .filter((channel) => !channel.isArchived)
      .map((channel) => subscriptionForClients(channel, this.directory, options));
  }
}
