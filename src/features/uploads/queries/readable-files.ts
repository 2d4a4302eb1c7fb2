import {
  ATTACHMENTS,
  type AttachmentDocument,
  attachments,
  type FileReferenceDocument,
  REFERENCES,
} from '../../../../projections/attachments/attachments.projection.js';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { Facts } from '../../../directory/facts.js';
import { mayRead } from '../../../directory/readable-messages.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';

/** Number of messages that are checked together. */
const PAGE = 100;

/**
 * Tells whether a user may read a file. Users may read their own files, and every file that a readable message links to.
 * Only a user who may read a file can link to it, so such a link gives access.
 *
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function mayHaveFile(reader: UserRecord, file: AttachmentDocument, facts: Facts): Promise<boolean> {
  if (file.ownerId === reader._id) return true;
  const references = facts.readModels.collection<FileReferenceDocument>(attachments, REFERENCES);
  const sent = facts.readModels.collection<MessageDocument>(messages, MESSAGES);
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    // The newest messages come first, because they are read most.
    const page = await references.find(
      { attachmentId: file._id, messageId: { $lt: before } },
      { sort: { messageId: -1 }, limit: PAGE },
    );
    const found = await sent.find({ _id: { $in: page.map(({ messageId }) => messageId) } });
    if (found.some((message) => mayRead(reader, message, facts.directory))) return true;
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
