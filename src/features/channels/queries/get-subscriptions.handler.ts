import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { Query } from '../../../platform/kernel/query.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
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
