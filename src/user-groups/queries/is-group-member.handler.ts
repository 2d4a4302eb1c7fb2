import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { isDirectMember } from '../../directory/groups-for-clients.js';
import { refuse } from '../../kernel/domain-error.js';
import { requireReadableGroup } from './readable-group.js';

export class IsGroupMember {
  constructor(
    readonly reader: UserRecord,
    readonly groupId: number,
    readonly userId: number,
    readonly directly: boolean,
  ) {}
}

@QueryHandler(IsGroupMember)
export class IsGroupMemberHandler implements IQueryHandler<IsGroupMember, boolean> {
  constructor(private readonly directory: Directory) {}

  async execute({ reader, groupId, userId, directly }: IsGroupMember): Promise<boolean> {
    requireReadableGroup(reader, groupId, this.directory);
    const user = this.directory.user(userId) ?? refuse('USER_NOT_FOUND');
    return directly ? isDirectMember(user, groupId, this.directory) : this.directory.isInGroup(user, groupId);
  }
}
