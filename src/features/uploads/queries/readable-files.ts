import {
  ATTACHMENTS,
  type AttachmentDocument,
  attachments,
  type FileReferenceDocument,
  REFERENCES,
} from '../../../../projections/attachments/attachments.projection.js';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { mayRead } from '../../../directory/readable-messages.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';

/** Messages looked at together. */
const PAGE = 100;

/**
 * Whether somebody may have a file: it is theirs, or they may read a message that links to it. Whoever can link to a file
 * may see it, so that a link in words that they may read is as good as the file.
 *
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function mayHaveFile(
  reader: UserRecord,
  file: AttachmentDocument,
  directory: Directory,
  readModels: ReadModels,
): Promise<boolean> {
  if (file.ownerId === reader._id) return true;
  const references = readModels.collection<FileReferenceDocument>(attachments, REFERENCES);
  const sent = readModels.collection<MessageDocument>(messages, MESSAGES);
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    // The newest first: they are the ones that people are looking at.
    const page = await references.find(
      { attachmentId: file._id, messageId: { $lt: before } },
      { sort: { messageId: -1 }, limit: PAGE },
    );
    const found = await sent.find({ _id: { $in: page.map(({ messageId }) => messageId) } });
    if (found.some((message) => mayRead(reader, message, directory))) return true;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return false;
    before = last.messageId;
  }
}

/** @throws UnavailableError, DocumentStoreUnavailable */
export async function filesNamed(
  fileIds: readonly string[],
  readModels: ReadModels,
): Promise<readonly AttachmentDocument[]> {
  if (fileIds.length === 0) return [];
  return readModels
    .collection<AttachmentDocument>(attachments, ATTACHMENTS)
    .find({ fileId: { $in: [...fileIds] } }, { sort: { fileId: 1 } });
}
