import type { FileDeleted } from '../../../events/uploads/uploads.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import type { UploadState } from './upload.state.js';

export class DeleteFile extends Command<void> {
  constructor(
    readonly attachmentId: number,
    /** null if the server itself deletes an unused file. */
    readonly userId: number | null,
    readonly by: CommandContext,
  ) {
    super();
  }
}

/** Only the uploader may delete a file. Others do not learn whether it exists. */
export const decideDeleteFile: Decide<DeleteFile, UploadState, FileDeleted> = ({ userId }, state) => {
  if (state.status !== 'stored') return refuse('INVALID_ATTACHMENT');
  if (userId !== null && userId !== state.ownerId) refuse('INVALID_ATTACHMENT');
  const { attachmentId, ownerId, fileId, size, keyId } = state;
  return [{ type: 'FileDeleted', data: { attachmentId, ownerId, fileId, size, keyId } }];
};
