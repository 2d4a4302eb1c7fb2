import {
  attachmentIdAt,
  type FileDeleted,
  type FileUploaded,
  type PictureMeasure,
} from '../../../events/uploads/uploads.events.js';
import { Command, type Decide, type Decider, refuse } from '../../../platform/kernel/deciding.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { type FileMeasure, UNMEASURED } from '../../../platform/kernel/event-definition.js';
import { contentTypeOf } from './content-type.js';
import { nameInPath, shownName } from './file-name.js';

/** A stored file, as an event records it. */
export interface MeasuredFile {
  /** Name in the file store. */
  readonly fileId: string;
  readonly measure: FileMeasure;
}

/** Stands for a file that is not stored yet, in a decision that is only checked. */
export const NOT_STORED_YET: MeasuredFile = { fileId: '', measure: UNMEASURED };

export type UploadState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'stored';
      readonly attachmentId: number;
      readonly ownerId: number;
      readonly fileId: string;
      readonly size: number;
      /** Id of the key of the file's name. */
      readonly keyId: string;
    }
  | { readonly status: 'deleted' };

export function asUploaded({ id, revision, data }: Recorded<FileUploaded>): UploadState {
  const { ownerId, fileId, size } = data;
  return { status: 'stored', attachmentId: attachmentIdAt(revision), ownerId, fileId, size, keyId: id };
}

export const uploadLife: Decider<UploadState, FileDeleted> = {
  initialState: { status: 'unknown' },
  evolve: (state, event) => {
    switch (event.type) {
      case 'FileDeleted':
        return { status: 'deleted' };
      default:
        event.type satisfies never;
        return state;
    }
  },
};

/** A file as the client sends it. */
interface SentFile {
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
