import {
  type FileDeleted,
  type FileUploaded,
  UPLOADS_STREAM,
  uploadRevisionOf,
  uploadStream,
} from '../../../events/uploads/uploads.events.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { asUploaded, DeleteFile, decideDeleteFile, type UploadState, uploadLife } from '../domain/upload-file.js';

/** The stream of a file; its state begins with the file's FileUploaded. */
const decidedFile = ({ attachmentId }: DeleteFile): CommandStream<UploadState, FileDeleted> => ({
  stream: uploadStream(attachmentId),
  decider: uploadLife,
  expects: 'any',
  origin: {
    stream: UPLOADS_STREAM,
    revision: uploadRevisionOf(attachmentId),
    begin: (event) => asUploaded(event as Recorded<FileUploaded>),
  },
});

export const deleteFileHandler = decidesOn(DeleteFile, { stream: decidedFile, decide: decideDeleteFile });
