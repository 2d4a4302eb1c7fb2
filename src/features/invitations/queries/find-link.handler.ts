import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Facts } from '../../../directory/facts.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { SITE } from '../../../platform/kernel/site.js';
import { requireInviterNow } from '../domain/invitation-terms.js';
import { invitersIn } from './inviter-facts.js';
import { kindOf, linkByHash } from './usable-link.js';

/** A link that can be used, with what its page shows. */
export interface FoundLink {
  /** SHA-256 of the token, hexadecimal. */
  readonly tokenHash: string;
  /** The address that the link was mailed to; null for a link for many. */
  readonly email: string | null;
  readonly welcomeText: string | null;
  readonly organization: string;
  readonly inviter: string;
  /** The server's public URL. */
  readonly site: string;
}

/** The link with a token. Refuses with LINK_UNUSABLE, INVITER_MAY_NOT_INVITE. */
export class FindLink extends Query<
  {
    /** SHA-256 of the token, hexadecimal. */
    tokenHash: string;
  },
  FoundLink
> {}

@QueryHandler(FindLink)
export class FindLinkHandler implements IQueryHandler<FindLink> {
  constructor(
    private readonly facts: Facts,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  async execute({ tokenHash }: FindLink): Promise<FoundLink> {
    const link = (await linkByHash(tokenHash, this.facts.readModels)) ?? refuse('LINK_UNUSABLE');
    const { kind, role } = kindOf(link);
    const inviter = invitersIn(this.facts.directory)({ inviterId: link.inviterId, kind });
    requireInviterNow({ role }, inviter);
    return {
      tokenHash,
      email: link.mailed?.email ?? link.confirmation?.email ?? null,
      welcomeText: link.welcomeText,
      organization: this.facts.directory.setting('name'),
      inviter: inviter.fullName,
      site: this.site(),
    };
  }
}
