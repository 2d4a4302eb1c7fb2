import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { defaultChannelIdsFor } from '../../directory/default-channels.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';

export class GetDefaultChannels {
  constructor(readonly reader: UserRecord) {}
}

@QueryHandler(GetDefaultChannels)
export class GetDefaultChannelsHandler implements IQueryHandler<GetDefaultChannels, readonly number[]> {
  constructor(private readonly directory: Directory) {}

  async execute({ reader }: GetDefaultChannels): Promise<readonly number[]> {
    return defaultChannelIdsFor(reader, this.directory);
  }
}
