import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { UploadState } from './upload.state.js';
import type { FileDeleted } from './uploads.events.js';

export class DeleteFile {
  constructor(
    readonly attachmentId: number,
    /** null: the server itself, of a file that nobody has use for. */
    readonly userId: number | null,
    readonly by: CommandContext,
  ) {}
}

/** Whoever uploaded it may; nobody else learns whether it is there. */
export const decideDeleteFile: Decide<DeleteFile, UploadState, FileDeleted> = ({ userId }, state) => {
  if (state.status !== 'stored') return refuse('INVALID_ATTACHMENT');
  if (userId !== null && userId !== state.ownerId) refuse('INVALID_ATTACHMENT');
  const { attachmentId, ownerId, fileId, size, keyId } = state;
  return [{ type: 'FileDeleted', data: { attachmentId, ownerId, fileId, size, keyId } }];
};
