import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { InvitationTerms } from '../../../events/invitations/invitations.events.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Query } from '../../../platform/kernel/query.js';
import { SITE } from '../../../platform/kernel/site.js';
import { Links } from '../../../platform/links/links.js';
import { invitationsStream } from '../commands/invitations.handlers.js';
import { mayStillInvite } from '../domain/invitation-terms.js';
import { isValid, pendingOf } from '../domain/invitations.state.js';
import { joinUrl } from '../domain/send-invitations.js';
import { invitersIn } from '../queries/invitations.queries.js';

/** A valid link for many, as operators see it. */
export interface OperatedLink {
  readonly id: number;
  readonly keyId: string;
  readonly inviterId: number;
  readonly terms: InvitationTerms;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
  readonly url: string;
  /** false: the inviter may no longer invite to the role. */
  readonly isUsable: boolean;
}

/** All valid links for many, from the log alone: a process without documents answers it, too. */
export class GetInvitationLinks extends Query<object, readonly OperatedLink[]> {}

@QueryHandler(GetInvitationLinks)
export class GetInvitationLinksHandler implements IQueryHandler<GetInvitationLinks> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly links: Links,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  async execute(): Promise<readonly OperatedLink[]> {
    const now = Date.now();
    const state = await this.runner.stateOf(invitationsStream);
    const valid = pendingOf(state).filter((one) => one.kind === 'for many' && isValid(one, now));
    const tokens = await this.links.tokensOf(valid.map(({ keyId }) => keyId));
    const inviterOf = invitersIn(this.directory);
    return valid.flatMap((link) => {
      const { id, keyId, inviterId, terms, expiresAt } = link;
      const token = tokens.get(keyId);
      // A link that ends now has no key.
      if (token === undefined) return [];
      const isUsable = mayStillInvite(terms.role, inviterOf(link));
      return { id, keyId, inviterId, terms, expiresAt, url: joinUrl(this.site(), token), isUsable };
    });
  }
}
