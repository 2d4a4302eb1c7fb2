import type { FileDeleted } from '../../../events/uploads/uploads.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { UploadState } from './upload.state.js';

export class DeleteFile extends Command<{
  attachmentId: number;
  /** null if the server itself deletes an unused file. */
  userId: number | null;
}> {}

/** Only the uploader may delete a file. Others do not learn whether it exists. */
export const decideDeleteFile: Decide<DeleteFile, UploadState, FileDeleted> = ({ userId }, state) => {
  if (state.status !== 'stored') return refuse('INVALID_ATTACHMENT');
  if (userId !== null && userId !== state.ownerId) refuse('INVALID_ATTACHMENT');
  const { attachmentId, ownerId, fileId, size, keyId } = state;
  return [{ type: 'FileDeleted', data: { attachmentId, ownerId, fileId, size, keyId } }];
};
