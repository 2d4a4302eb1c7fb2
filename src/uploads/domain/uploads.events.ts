import type { DomainEvent } from '../../kernel/event.js';
import { defineEvent } from '../../kernel/event-definition.js';

/** Holds `FileUploaded` and nothing else: an attachment's id is its revision here + 1 (D3). */
export const UPLOADS_STREAM = 'uploads';

export const attachmentIdAt = (revision: number): number => revision + 1;

export const uploadRevisionOf = (attachmentId: number): number => attachmentId - 1;

/** What has become of one file. It begins with the `FileUploaded` of the stream `uploads` (D2). */
export const uploadStream = (attachmentId: number): string => `upload-${attachmentId}`;

/** What people called a file and what it holds say as much as words do: it goes with the file (D7). */
export interface FileDescription {
  /** As its uploader called it, without folders. */
  readonly name: string;
  /** What the name came to in the file's URL. */
  readonly pathName: string;
  readonly contentType: string;
  /** Of the bytes, hexadecimal: what a backup of them can be checked against. */
  readonly sha256: string;
}

/** The bytes are in the file store under `fileId`: durable before this was appended. */
export type FileUploaded = DomainEvent<
  'FileUploaded',
  {
    readonly ownerId: number;
    /** Random; part of the file's URL, which nobody guesses. */
    readonly fileId: string;
    /** Bytes. */
    readonly size: number;
    /** null once its key has been destroyed. */
    readonly content: FileDescription | null;
  }
>;

export type FileDeleted = DomainEvent<
  'FileDeleted',
  {
    readonly attachmentId: number;
    readonly ownerId: number;
    /** Names the bytes that go with it. */
    readonly fileId: string;
    readonly size: number;
    /** Names the content key that goes with it. */
    readonly keyId: string;
  }
>;

export type UploadEvent = FileUploaded | FileDeleted;

export const uploadEvents = [
  defineEvent<FileUploaded>({ type: 'FileUploaded', version: 1, sealed: 'content' }),
  defineEvent<FileDeleted>({ type: 'FileDeleted', version: 1 }),
];
