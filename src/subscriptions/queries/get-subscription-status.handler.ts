import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { refuse } from '../../kernel/domain-error.js';
import { channelInSight } from './channel-in-sight.js';

export class GetSubscriptionStatus {
  constructor(
    readonly userId: number,
    readonly channelId: number,
    readonly reader: UserRecord,
  ) {}
}

@QueryHandler(GetSubscriptionStatus)
export class GetSubscriptionStatusHandler implements IQueryHandler<GetSubscriptionStatus, boolean> {
  constructor(private readonly directory: Directory) {}

  /** @throws DomainError USER_NOT_FOUND, PRINCIPAL_DEACTIVATED, INVALID_CHANNEL_ID */
  async execute({ userId, channelId, reader }: GetSubscriptionStatus): Promise<boolean> {
    const user = this.directory.user(userId) ?? refuse('USER_NOT_FOUND');
    if (!user.isActive) refuse('PRINCIPAL_DEACTIVATED');
    return this.directory.isSubscribed(userId, channelInSight(channelId, reader, this.directory)._id);
  }
}
