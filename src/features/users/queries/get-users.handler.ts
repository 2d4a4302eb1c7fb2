import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { accountOf } from '../../../directory/system-bots.js';
import { ListInTurns } from '../../../platform/kernel/in-turns.js';
import { Query } from '../../../platform/kernel/query.js';
import { withShownProfile } from './shown-profile.js';
import { accountForClients } from './system-bots-for-clients.js';
import type { UserForClients, UserRecordOptions } from './users-for-clients.js';

export class GetUsers extends Query<
  {
    /** null for all users. */
    userIds: readonly number[] | null;
    options: UserRecordOptions;
  },
  ListInTurns<UserRecord, UserForClients>
> {}

@QueryHandler(GetUsers)
export class GetUsersHandler implements IQueryHandler<GetUsers> {
  constructor(private readonly directory: Directory) {}

  async execute({ userIds, options }: GetUsers): Promise<ListInTurns<UserRecord, UserForClients>> {
    const { organization } = this.directory;
    return new ListInTurns(this.named(userIds), (user) =>
      accountForClients(withShownProfile(user, { organization }), options),
    );
  }

  /** Leaves out unknown ids, as the API says. */
  private named(userIds: readonly number[] | null): UserRecord[] {
    if (userIds === null) return this.directory.allUsers();
    return [...new Set(userIds)].flatMap((id) => accountOf(id, this.directory) ?? []);
  }
}
