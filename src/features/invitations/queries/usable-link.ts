import {
  INVITATIONS,
  type InvitationDocument,
  invitations,
} from '../../../../projections/invitations/invitations.projection.js';
import type { Role } from '../../../events/shared/role.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import type { LinkKind } from '../domain/invitation-terms.js';

/** The kind and the role of a link. */
export function kindOf({ mailed, forMany, confirmation }: InvitationDocument): { kind: LinkKind; role: Role } {
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
export const isInTime = ({ expiresAt }: Pick<InvitationDocument, 'expiresAt'>, now: number): boolean =>
  expiresAt === null || expiresAt > now;

/** Tells whether a link is over that has not ended yet. */
export async function hasExpired(readModels: ReadModels, now = Date.now()): Promise<boolean> {
  const documents = readModels.collection<InvitationDocument>(invitations, INVITATIONS);
  return (await documents.findOne({ expiresAt: { $lte: now } })) !== null;
}
