import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { UploadState } from './upload.state.js';
import type { FileDeleted } from './uploads.events.js';

export class DeleteFile {
  constructor(
    readonly attachmentId: number,
    readonly userId: number,
    readonly by: CommandContext,
  ) {}
}

/** Whoever uploaded it may; nobody else learns whether it is there. */
export const decideDeleteFile: Decide<DeleteFile, UploadState, FileDeleted> = ({ userId }, state) => {
  if (state.status !== 'stored' || state.ownerId !== userId) return refuse('INVALID_ATTACHMENT');
  const { attachmentId, ownerId, fileId, size, keyId } = state;
  return [{ type: 'FileDeleted', data: { attachmentId, ownerId, fileId, size, keyId } }];
};
