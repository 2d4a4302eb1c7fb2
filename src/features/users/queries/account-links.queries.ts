import {
  ACCOUNT_LINKS,
  type AccountLinkDocument,
  accountLinks,
} from '../../../../projections/account-links/account-links.projection.js';
import { Directory } from '../../../directory/directory.js';
import { Facts } from '../../../directory/facts.js';
import type { AccountLinkPurpose } from '../../../events/users/account-links.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';

/** A link as its page shows it. */
interface ShownAccountLink {
  readonly userId: number;
  /** The address of the account now. */
  readonly email: string;
  /** The address that the link makes the account's; null for a new password. */
  readonly newEmail: string | null;
}

/** Asks for a link that can be used. Refuses with LINK_UNUSABLE. */
export class GetAccountLink extends Query<
  {
    /** SHA-256 of the link's token, hexadecimal. */
    tokenHash: string;
    purpose: AccountLinkPurpose;
  },
  ShownAccountLink
> {}

/** Asks for the request for a new address that a link ends. Refuses with LINK_UNUSABLE. */
export class GetVetoedLink extends Query<
  {
    /** SHA-256 of the link's token, hexadecimal. */
    vetoHash: string;
  },
  ShownAccountLink
> {}

export const accountLinkQueries = [
  answersFrom(GetAccountLink, Facts, async ({ tokenHash, purpose }, { readModels, directory }) =>
    shown(await accountLink(tokenHash, purpose, readModels), directory),
  ),
  answersFrom(GetVetoedLink, Facts, async ({ vetoHash }, { readModels, directory }) =>
    shown(await linkWithVeto(vetoHash, readModels), directory),
  ),
];

function shown(link: AccountLinkDocument | null, directory: Directory): ShownAccountLink {
  const user = link && directory.user(link.userId);
  if (!user?.isActive || link === null || link.expiresAt <= Date.now()) refuse('LINK_UNUSABLE');
  return { userId: user._id, email: user.email, newEmail: link.email ?? null };
}

/** Finds a link that is neither used nor ended; null without one. It may be too old. */
export async function accountLink(
  tokenHash: string,
  purpose: AccountLinkPurpose,
  readModels: ReadModels,
): Promise<AccountLinkDocument | null> {
  const links = readModels.collection<AccountLinkDocument>(accountLinks, ACCOUNT_LINKS);
  const link = await links.findOne({ _id: tokenHash });
  return link?.purpose === purpose ? link : null;
}

/** Finds the request for a new address that a token ends; null without one. It may be too old. */
export async function linkWithVeto(vetoHash: string, readModels: ReadModels): Promise<AccountLinkDocument | null> {
  return readModels.collection<AccountLinkDocument>(accountLinks, ACCOUNT_LINKS).findOne({ vetoHash });
}

/** Tells whether there are links whose time is over. */
export async function hasOldAccountLinks(readModels: ReadModels): Promise<boolean> {
  const links = readModels.collection<AccountLinkDocument>(accountLinks, ACCOUNT_LINKS);
  return (await links.find({ expiresAt: { $lte: Date.now() } }, { sort: { expiresAt: 1 }, limit: 1 })).length > 0;
}
