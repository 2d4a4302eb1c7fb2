import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { memberIds } from '../../directory/groups-for-clients.js';
import { requireReadableGroup } from './readable-group.js';

export class GetGroupMembers {
  constructor(
    readonly reader: UserRecord,
    readonly groupId: number,
    readonly directly: boolean,
  ) {}
}

@QueryHandler(GetGroupMembers)
export class GetGroupMembersHandler implements IQueryHandler<GetGroupMembers, readonly number[]> {
  constructor(private readonly directory: Directory) {}

  async execute({ reader, groupId, directly }: GetGroupMembers): Promise<readonly number[]> {
    requireReadableGroup(reader, groupId, this.directory);
    return memberIds(groupId, directly, this.directory);
  }
}
