import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { type UserGroupForClients, userGroupsForClients } from '../../directory/groups-for-clients.js';
import { requireMember } from '../../directory/permissions.js';

export class GetUserGroups {
  constructor(
    readonly reader: UserRecord,
    readonly includeDeactivated: boolean,
  ) {}
}

@QueryHandler(GetUserGroups)
export class GetUserGroupsHandler implements IQueryHandler<GetUserGroups, readonly UserGroupForClients[]> {
  constructor(private readonly directory: Directory) {}

  async execute({ reader, includeDeactivated }: GetUserGroups): Promise<readonly UserGroupForClients[]> {
    requireMember(reader);
    return userGroupsForClients(this.directory, includeDeactivated);
  }
}
