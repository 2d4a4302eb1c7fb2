import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import {
  INVITATIONS,
  type InvitationDocument,
  invitations,
} from '../../../../projections/invitations/invitations.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { isAdministrator, requireMember } from '../../../directory/permissions.js';
import { Query } from '../../../platform/kernel/query.js';
import { SITE } from '../../../platform/kernel/site.js';
import { Links } from '../../../platform/links/links.js';
import { type InviterOf, mayGive, mayStillInvite } from '../domain/invitation-terms.js';
import { joinUrl } from '../domain/link-urls.js';
import { inviterFacts, invitersIn } from './inviter-facts.js';
import { isInTime, kindOf } from './usable-link.js';

/** The valid invitations and links that a user manages: administrators all, others their own. */
export class GetInvitations extends Query<{ reader: UserRecord }, readonly InvitationForClients[]> {}

/** The published fields. Times are seconds since 1970. */
export interface InvitationForClients {
  readonly id: number;
  readonly invited_by_user_id: number;
  readonly invited: number;
  readonly expiry_date: number | null;
  readonly invited_as: number;
  readonly is_multiuse: boolean;
  readonly email?: string;
  readonly notify_referrer_on_join?: boolean;
  /** Absent if the reader could not make the same link: whoever has its URL gets its role, channels and groups. */
  readonly link_url?: string;
  /**
   * Why the invitation cannot be used, or did not arrive; absent if nothing is known to be wrong. An extension of the API.
   * `inviter_may_not_invite`: the inviter may no longer invite to its role. `mail_refused`: the mail server has refused its
   * last mail for good, or did not take it for days.
   */
  readonly problem?: InvitationProblem;
}

export type InvitationProblem = 'inviter_may_not_invite' | 'mail_refused';

/** URL of the link for many that a key makes. */
export class GetInvitationLinkUrl extends Query<{ keyId: string }, string> {}

@QueryHandler(GetInvitations)
export class GetInvitationsHandler implements IQueryHandler<GetInvitations> {
  constructor(
    private readonly facts: Facts,
    private readonly links: Links,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  async execute({ reader }: GetInvitations): Promise<readonly InvitationForClients[]> {
    requireMember(reader);
    const documents = this.facts.readModels.collection<InvitationDocument>(invitations, INVITATIONS);
    const own = isAdministrator(reader) ? { _id: { $gt: 0 } } : { inviterId: reader._id };
    const now = Date.now();
    const valid = (await documents.find(own, { sort: { _id: 1 } })).filter((one) => isInTime(one, now));
    const keyIds = valid.flatMap(({ forMany, keyId }) => (forMany ? keyId : []));
    const tokens = await this.links.tokensOf(keyIds);
    const inviter = invitersIn(this.facts.directory);
    const facts = inviterFacts(reader._id, 'create_multiuse_invite_group', this.facts.directory);
    const showsUrl = ({ inviterId, forMany }: InvitationDocument): boolean =>
      inviterId === reader._id || (forMany !== undefined && mayGive(forMany, facts));
    return valid.flatMap((one) => this.forClients(one, tokens, { inviter, showsUrl }) ?? []);
  }

  /** null for a confirmation, which nobody manages, and for a link that ends now. */
  private forClients(
    document: InvitationDocument,
    tokens: ReadonlyMap<string, string>,
    { inviter, showsUrl }: { readonly inviter: InviterOf; readonly showsUrl: (one: InvitationDocument) => boolean },
  ): InvitationForClients | null {
    const { _id, inviterId, keyId, mailed, forMany, invitedAt, expiresAt } = document;
    const { kind, role } = kindOf(document);
    const problem: InvitationProblem | null = !mayStillInvite(role, inviter({ inviterId, kind }))
      ? 'inviter_may_not_invite'
      : mailed?.isMailRefused
        ? 'mail_refused'
        : null;
    const common = {
      id: _id,
      invited_by_user_id: inviterId,
      invited: seconds(invitedAt),
      expiry_date: expiresAt === null ? null : seconds(expiresAt),
      ...(problem === null ? {} : { problem }),
    };
    if (mailed) {
      const { role: invited_as, email, notifiesInviter: notify_referrer_on_join } = mailed;
      return { ...common, invited_as, email, notify_referrer_on_join, is_multiuse: false };
    }
    const token = tokens.get(keyId);
    if (!forMany || token === undefined) return null;
    const url = showsUrl(document) ? { link_url: joinUrl(this.site(), token) } : {};
    return { ...common, invited_as: role, ...url, is_multiuse: true };
  }
}

@QueryHandler(GetInvitationLinkUrl)
export class GetInvitationLinkUrlHandler implements IQueryHandler<GetInvitationLinkUrl> {
  constructor(
    private readonly links: Links,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  async execute({ keyId }: GetInvitationLinkUrl): Promise<string> {
    const token = (await this.links.tokensOf([keyId])).get(keyId);
    if (token === undefined) throw new Error('the key of a new link is missing');
    return joinUrl(this.site(), token);
  }
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
