import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { subgroupIds } from '../../directory/groups-for-clients.js';
import { requireReadableGroup } from './readable-group.js';

export class GetSubgroups {
  constructor(
    readonly reader: UserRecord,
    readonly groupId: number,
    readonly directly: boolean,
  ) {}
}

@QueryHandler(GetSubgroups)
export class GetSubgroupsHandler implements IQueryHandler<GetSubgroups, readonly number[]> {
  constructor(private readonly directory: Directory) {}

  async execute({ reader, groupId, directly }: GetSubgroups): Promise<readonly number[]> {
    requireReadableGroup(reader, groupId, this.directory);
    return subgroupIds(groupId, directly, this.directory);
  }
}
