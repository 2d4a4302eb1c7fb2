import {
  ATTACHMENTS,
  type AttachmentDocument,
  attachments,
} from '../../../../projections/attachments/attachments.projection.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { type AttachmentForClients, attachmentsForClients } from './attachments-for-clients.js';
import { isLinked } from './is-linked.js';

/**
 * Selects the owner's files that no message links to any more. Clients offer to delete these files.
 *
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function detachedFiles(
  ids: readonly number[],
  ownerId: number,
  readModels: ReadModels,
): Promise<readonly AttachmentForClients[]> {
  if (ids.length === 0) return [];
  const files = readModels.collection<AttachmentDocument>(attachments, ATTACHMENTS);
  const own = (await files.find({ _id: { $in: [...ids] } }, { sort: { _id: 1 } })).filter(
    (file) => file.ownerId === ownerId,
  );
  const detached: AttachmentDocument[] = [];
  for (const file of own) if (!(await isLinked(file._id, readModels))) detached.push(file);
  return attachmentsForClients(detached, readModels);
}
