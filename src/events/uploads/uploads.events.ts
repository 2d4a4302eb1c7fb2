import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';

/** Holds only `FileUploaded`: an attachment's id is its revision in this stream + 1 (D3). */
export const UPLOADS_STREAM = 'uploads';

export const attachmentIdAt = (revision: number): number => revision + 1;

export const uploadRevisionOf = (attachmentId: number): number => attachmentId - 1;

/** Events of one file after the `FileUploaded` in the stream `uploads` (D2). */
export const uploadStream = (attachmentId: number): string => `upload-${attachmentId}`;

/** A picture as it is shown: turned as its camera was held. */
export interface PictureMeasure {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
}

/** A file's name, type and checksum. Sealed, because they reveal its contents: erased with the file (D7). */
interface FileDescription {
  /** The uploader's name for the file, without folders. */
  readonly name: string;
  /** The name in the file's URL. */
  readonly pathName: string;
  /** Two hexadecimal digits of the URL, before the file's id. Absent: the URL has none, as in earlier versions. */
  readonly folder?: string;
  readonly contentType: string;
  /** SHA-256 of the bytes, hexadecimal: checks a backup of them. */
  readonly sha256: string;
  /** null: no smaller picture can be made of it. Absent: unknown, or no picture by its type. */
  readonly picture?: PictureMeasure | null;
}

/** The bytes are in the file store under `fileId`, and were durable before this event was appended. */
export type FileUploaded = DomainEvent<
  'FileUploaded',
  {
    readonly ownerId: number;
    /** Random: part of the file's URL, which nobody can guess. */
    readonly fileId: string;
    /** Bytes. */
    readonly size: number;
    /** null once the file's content key is destroyed. */
    readonly content: FileDescription | null;
  }
>;

/** An uploaded file is deleted. */
export type FileDeleted = DomainEvent<
  'FileDeleted',
  {
    readonly attachmentId: number;
    readonly ownerId: number;
    /** The file store's name of the bytes, which are deleted too. */
    readonly fileId: string;
    readonly size: number;
    /** The content key, which is destroyed too. */
    readonly keyId: string;
  }
>;

export type UploadEvent = FileUploaded | FileDeleted;

export const uploadsEvents = [
  defineEvent<FileUploaded>({
    type: 'FileUploaded',
    concerns: ({ data: { ownerId } }) => ({ userIds: [ownerId] }),
    sealed: { field: 'content', under: 'own key', shownTo: { only: 'ownerId' } },
    files: ['fileId'],
    measures: ({ data: { size, content } }) => ({ fileId: { size, sha256: content?.sha256 ?? null } }),
  }),
];

export const uploadEvents = [
  defineEvent<FileDeleted>({
    type: 'FileDeleted',
    concerns: ({ data: { ownerId } }) => ({ userIds: [ownerId] }),
    keys: { keyId: 'ends' },
    endsFiles: ['fileId'],
  }),
];
