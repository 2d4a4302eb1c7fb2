import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Facts } from '../../../directory/facts.js';
import { Query } from '../../../platform/kernel/query.js';
import { type SubscriptionForClients, subscriptionForClients } from './channels-for-clients.js';
import { firstMessageIds } from './first-message-ids.js';

export class GetSubscriptions extends Query<
  {
    userId: number;
    includeSubscribers: boolean;
  },
  readonly SubscriptionForClients[]
> {}

@QueryHandler(GetSubscriptions)
export class GetSubscriptionsHandler implements IQueryHandler<GetSubscriptions> {
  constructor(private readonly facts: Facts) {}

  async execute({ userId, includeSubscribers }: GetSubscriptions): Promise<readonly SubscriptionForClients[]> {
    const options = { includeSubscribers, notificationSettingsNull: true };
    const channelIds = this.facts.directory.subscribedChannelIds(userId);
    const first = await firstMessageIds(this.facts.readModels, channelIds);
    return channelIds
      .flatMap((channelId) => this.facts.directory.channel(channelId) ?? [])
      .filter((channel) => !channel.isArchived)
      .map((channel) =>
        subscriptionForClients(channel, userId, this.facts.directory, options, {
          firstMessageId: first.get(channel._id) ?? null,
        }),
      );
  }
}
