import {
  attachments,
  type FileReferenceDocument,
  REFERENCES,
} from '../../../../projections/attachments/attachments.projection.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';

/** Tells whether a message links to the file. @throws UnavailableError, DocumentStoreUnavailable */
export async function isLinked(attachmentId: number, readModels: ReadModels): Promise<boolean> {
  const references = readModels.collection<FileReferenceDocument>(attachments, REFERENCES);
  const [one] = await references.find({ attachmentId }, { limit: 1, projection: { _id: 1 } });
  return one !== undefined;
}
