import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import type { UserForClients, UserRecordOptions } from '../../directory/records-for-clients.js';
import { withShownProfile } from '../../directory/shown-profile.js';
import { accountByEmail, accountForClients, accountOf } from '../../directory/system-bots.js';
import { refuse } from '../../kernel/domain-error.js';
import { botDomain, SITE } from '../../kernel/site.js';

/** @param user an id, an address in any case, or `user<id>@<domain>`, which names any account */
export class GetUser {
  constructor(
    readonly user: string,
    readonly options: UserRecordOptions,
  ) {}
}

/** Of whoever is named likewise: an id that no account has where nobody is, so that commands refuse in their own order. */
export class FindUserId {
  constructor(readonly user: string) {}
}

const NOBODY = 0;

@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser, UserForClients> {
  constructor(
    private readonly directory: Directory,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  async execute({ user, options }: GetUser): Promise<UserForClients> {
    const record = named(user, this.directory, this.site()) ?? refuse('USER_NOT_FOUND');
    return accountForClients(withShownProfile(record, this.directory), options);
  }
}

@QueryHandler(FindUserId)
export class FindUserIdHandler implements IQueryHandler<FindUserId, number> {
  constructor(
    private readonly directory: Directory,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  async execute({ user }: FindUserId): Promise<number> {
    return named(user, this.directory, this.site())?._id ?? NOBODY;
  }
}

function named(text: string, directory: Directory, site: string): UserRecord | undefined {
  if (/^\d+$/.test(text)) return accountOf(Number(text), directory);
  const known = accountByEmail(text, directory);
  if (known) return known;
  const [, id, domain] = /^user(\d+)@(.+)$/i.exec(text) ?? [];
  return domain?.toLowerCase() === botDomain(site).toLowerCase() ? accountOf(Number(id), directory) : undefined;
}
