import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { channelInSight } from './channel-in-sight.js';

export class GetSubscribers {
  constructor(
    readonly channelId: number,
    readonly reader: UserRecord,
  ) {}
}

@QueryHandler(GetSubscribers)
export class GetSubscribersHandler implements IQueryHandler<GetSubscribers, readonly number[]> {
  constructor(private readonly directory: Directory) {}

  /** @throws DomainError INVALID_CHANNEL_ID */
  async execute({ channelId, reader }: GetSubscribers): Promise<readonly number[]> {
    return this.directory.subscriberIds(channelInSight(channelId, reader, this.directory)._id);
  }
}
