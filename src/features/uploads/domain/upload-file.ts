import type { FileUploaded, PictureMeasure } from '../../../events/uploads/uploads.events.js';
import { Command, refuse } from '../../../platform/kernel/deciding.js';
import { contentTypeOf } from './content-type.js';
import { nameInPath, shownName } from './file-name.js';

/** A file as the client sends it. */
export interface SentFile {
  readonly name: string;
  /** The client's claim, which may be wrong. */
  readonly contentType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface UploadedFile {
  readonly name: string;
  /** Last parts of its URL. */
  readonly pathId: string;
}

export class UploadFile extends Command<{ file: SentFile; ownerId: number }, UploadedFile> {}

/** Facts for the decision, which is made when the bytes are received (D4). */
export interface UploadFileFacts {
  /** Random name of the stored bytes. */
  readonly fileId: string;
  /** Two hexadecimal digits for its URL. */
  readonly folder: string;
  readonly size: number;
  readonly sha256: string;
  /** Usual type for the name's extension; null if it is unknown. */
  readonly usualType: string | null;
  /** null: no smaller picture can be made of it. undefined: unknown, or no picture by its type. */
  readonly picture: PictureMeasure | null | undefined;
  /** Whether the uploader is active now: receiving the bytes may take long. */
  readonly isOwnerActive: boolean;
}

/** Decides without state: an upload is reported as a fact, like a send (D3). */
export function decideUploadFile({ file, ownerId }: UploadFile, facts: UploadFileFacts): FileUploaded {
  const { fileId, folder, size, sha256, usualType, picture, isOwnerActive } = facts;
  if (!isOwnerActive) refuse('USER_DEACTIVATED');
  const name = shownName(file.name);
  return {
    type: 'FileUploaded',
    data: {
      ownerId,
      fileId,
      size,
      content: {
        name,
        pathName: nameInPath(name),
        folder,
        contentType: contentTypeOf(file.contentType, usualType),
        sha256,
        ...(picture !== undefined && { picture }),
      },
    },
  };
}
