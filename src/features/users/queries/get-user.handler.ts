import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { namedAccount } from '../../../directory/named-account.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { SITE } from '../../../platform/kernel/site.js';
import { withShownProfile } from './shown-profile.js';
import { accountForClients } from './system-bots-for-clients.js';
import type { UserForClients, UserRecordOptions } from './users-for-clients.js';

/** @param user an id, an address in any case, or `user<id>@<domain>` */
export class GetUser extends Query<{ user: string; options: UserRecordOptions }, UserForClients> {}

/** Finds the id of the named account. For an unknown name, gives an id of no account: the command then refuses in its order. */
export class FindUserId extends Query<{ user: string }, number> {}

const NOBODY = 0;

@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser> {
  constructor(
    private readonly directory: Directory,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  async execute({ user, options }: GetUser): Promise<UserForClients> {
    const record = namedAccount(user, this.directory, this.site()) ?? refuse('USER_NOT_FOUND');
    return accountForClients(withShownProfile(record, this.directory), options);
  }
}

@QueryHandler(FindUserId)
export class FindUserIdHandler implements IQueryHandler<FindUserId> {
  constructor(
    private readonly directory: Directory,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  async execute({ user }: FindUserId): Promise<number> {
    return namedAccount(user, this.directory, this.site())?._id ?? NOBODY;
  }
}
