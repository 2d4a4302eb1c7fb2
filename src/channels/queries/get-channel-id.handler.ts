import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import { refuse } from '../../kernel/domain-error.js';

export class GetChannelId {
  constructor(
    readonly reader: UserRecord,
    readonly name: string,
  ) {}
}

@QueryHandler(GetChannelId)
export class GetChannelIdHandler implements IQueryHandler<GetChannelId, number> {
  constructor(private readonly directory: Directory) {}

  /** @throws DomainError INVALID_CHANNEL_NAME also where the reader may not know of the channel */
  async execute({ reader, name }: GetChannelId): Promise<number> {
    const channel = this.directory.channelByName(name);
    if (!channel || !may(reader, { channel, to: 'see' }, this.directory))
      return refuse('INVALID_CHANNEL_NAME', { name });
    return channel._id;
  }
}
