import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import type { UserForClients, UserRecordOptions } from '../../directory/records-for-clients.js';
import { withShownProfile } from '../../directory/shown-profile.js';
import { accountForClients, accountOf } from '../../directory/system-bots.js';

export class GetUsers {
  constructor(
    /** null: everyone. */
    readonly userIds: readonly number[] | null,
    readonly options: UserRecordOptions,
  ) {}
}

@QueryHandler(GetUsers)
export class GetUsersHandler implements IQueryHandler<GetUsers, readonly UserForClients[]> {
  constructor(private readonly directory: Directory) {}

  async execute({ userIds, options }: GetUsers): Promise<readonly UserForClients[]> {
    return this.named(userIds).map((user) => accountForClients(withShownProfile(user, this.directory), options));
  }

  /** Unknown ids are left out, as the API has it. */
  private named(userIds: readonly number[] | null): UserRecord[] {
    if (userIds === null) return this.directory.allUsers();
    return [...new Set(userIds)].flatMap((id) => accountOf(id, this.directory) ?? []);
  }
}
