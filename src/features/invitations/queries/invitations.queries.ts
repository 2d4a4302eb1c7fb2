import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import {
  INVITATIONS,
  type InvitationDocument,
  invitations,
} from '../../../../projections/invitations/invitations.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { actorOf, isAdministrator, may, requireMember } from '../../../directory/permissions.js';
import type { Role } from '../../../events/shared/role.js';
import { systemBotByEmail } from '../../../events/shared/system-bots.js';
import { type CommandContext, refuse } from '../../../platform/kernel/deciding.js';
import { seconds } from '../../../platform/kernel/durations.js';
import { Query } from '../../../platform/kernel/query.js';
import { SITE } from '../../../platform/kernel/site.js';
import { Links } from '../../../platform/links/links.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import {
  type InviterFacts,
  type InviterNow,
  type InviterOf,
  type LinkKind,
  mayGive,
  mayStillInvite,
  requireInviterNow,
} from '../domain/invitation-terms.js';
import type { AccountOfAddress } from '../domain/invitees.js';
import type { ManagerFacts } from '../domain/manage-invitation.js';
import { joinUrl } from '../domain/send-invitations.js';

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

/** The kind and the role of a link. */
function kindOf({ mailed, forMany, confirmation }: InvitationDocument): { kind: LinkKind; role: Role } {
  if (mailed) return { kind: 'mailed', role: mailed.role };
  if (forMany) return { kind: 'for many', role: forMany.role };
  if (confirmation) return { kind: 'confirmation', role: confirmation.role };
  throw new Error('a link without a kind');
}

/**
 * The link with a token; null if there is none, or its time is over.
 * @param tokenHash SHA-256 of the token, hexadecimal
 */
export async function linkByHash(
  tokenHash: string,
  readModels: ReadModels,
  now = Date.now(),
): Promise<InvitationDocument | null> {
  const link = await readModels.collection<InvitationDocument>(invitations, INVITATIONS).findOne({ tokenHash });
  return link && isInTime(link, now) ? link : null;
}

/** @param now milliseconds since 1970 */
const isInTime = ({ expiresAt }: Pick<InvitationDocument, 'expiresAt'>, now: number): boolean =>
  expiresAt === null || expiresAt > now;

/** Tells whether a link is over that has not ended yet. */
export async function hasExpired(readModels: ReadModels, now = Date.now()): Promise<boolean> {
  const documents = readModels.collection<InvitationDocument>(invitations, INVITATIONS);
  return (await documents.findOne({ expiresAt: { $lte: now } })) !== null;
}

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

type InvitationProblem = 'inviter_may_not_invite' | 'mail_refused';

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

export const invitationQueries = [
  answersFrom(FindLink, [Facts, SITE], async ({ tokenHash }, { directory, readModels }, site: () => string) => {
    const link = (await linkByHash(tokenHash, readModels)) ?? refuse('LINK_UNUSABLE');
    const { kind, role } = kindOf(link);
    const inviter = invitersIn(directory)({ inviterId: link.inviterId, kind });
    requireInviterNow({ role }, inviter);
    return {
      tokenHash,
      email: link.mailed?.email ?? link.confirmation?.email ?? null,
      welcomeText: link.welcomeText,
      organization: directory.setting('name'),
      inviter: inviter.fullName,
      site: site(),
    };
  }),
  answersFrom(GetInvitationLinkUrl, [Links, SITE], async ({ keyId }, links, site: () => string) => {
    const token = (await links.tokensOf([keyId])).get(keyId);
    if (token === undefined) throw new Error('the key of a new link is missing');
    return joinUrl(site(), token);
  }),
];

export function managerFacts(by: CommandContext, directory: Directory): ManagerFacts {
  const manager = actorOf(by, directory);
  return {
    managerId: by.actorId,
    isAdministrator: may(manager, 'administer', directory),
    isOwner: may(manager, 'own', directory),
  };
}

type InvitingPermission = 'can_invite_users_group' | 'create_multiuse_invite_group';

export function inviterFacts(inviterId: number, permission: InvitingPermission, directory: Directory): InviterFacts {
  const inviter = directory.existingUser(inviterId);
  return {
    mayInvite: may(inviter, permission, directory),
    role: inviter.role,
    isAdministrator: may(inviter, 'administer', directory),
    channel: (channelId) => {
      const channel = directory.channel(channelId);
      if (!channel || channel.isArchived || !may(inviter, { channel, to: 'see' }, directory)) return null;
      return {
        isDefault: directory.organization?.defaultChannelIds.includes(channelId) ?? false,
        mayAddSubscribers: may(inviter, { channel, to: 'add subscribers' }, directory),
      };
    },
    mayAddToGroup: (groupId) => {
      const group = directory.groups.group(groupId);
      return group !== undefined && !group.isDeactivated && may(inviter, { group, to: 'add members' }, directory);
    },
  };
}

/** The inviters of links at this moment. Each is looked up once: ten thousand links may have the same inviter. */
export function invitersIn(directory: Directory): InviterOf {
  const known = new Map<string, InviterNow>();
  return ({ inviterId, kind }) => {
    const permission = kind === 'mailed' ? 'can_invite_users_group' : 'create_multiuse_invite_group';
    const key = `${permission} ${inviterId}`;
    const inviter = known.get(key) ?? inviterNow(inviterId, permission, directory);
    known.set(key, inviter);
    return inviter;
  };
}

function inviterNow(inviterId: number, permission: InvitingPermission, directory: Directory): InviterNow {
  const { mayInvite, role } = inviterFacts(inviterId, permission, directory);
  const { isActive = false, fullName = '' } = directory.user(inviterId) ?? {};
  return { isActive, fullName, mayInvite, role };
}

export function accountAt(email: string, directory: Directory): AccountOfAddress {
  if (systemBotByEmail(email)) return 'system bot';
  const user = directory.userByEmail(email);
  if (!user) return null;
  return user.isActive ? 'active' : 'deactivated';
}
