import contentDisposition from 'content-disposition';
import { type FileParts, Redirect, ServedFile } from '../../../platform/http/answers/served-file.js';
import { PICTURE_TYPES } from '../../../platform/pictures/picture-task.js';
import type { RemotePicture } from '../../remote-pictures/queries/read-remote-picture.handler.js';
import { isShown } from '../domain/content-type.js';
import { pathIdOf } from '../domain/file-path.js';
import type { ThumbnailFormat } from '../domain/thumbnail-format.js';
import type { FoundFile } from '../queries/uploads.queries.js';
import { UPLOADS_ROUTE } from '../uploads.routes.js';

/**
 * Headers that keep uploaded files from running as a part of this site. Files with scripts are sent as downloads, and
 * shown files may load and run nothing. PDF files get no sandbox, because a sandbox stops the browser's own viewer.
 */
const POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'";
const SANDBOX = `${POLICY}; sandbox`;

type Content = FileParts['content'];

/** The content of a file never changes. Its tag is the id, which tells nothing about the content. */
export function uploadedFile(file: FoundFile, content: Content, { asDownload = false } = {}): ServedFile {
  const isSeen = isShown(file.contentType) && !asDownload;
  return new ServedFile({
    type: isSeen ? withCharset(file.contentType) : 'application/octet-stream',
    headers: {
      ...guardedBy(file.contentType === 'application/pdf' ? POLICY : SANDBOX),
      'Content-Disposition': contentDisposition(file.name, { type: isSeen ? 'inline' : 'attachment' }),
    },
    tag: `"${file.fileId}"`,
    size: file.size,
    content,
  });
}

export const thumbnailOf = ({ fileId }: FoundFile, { name }: ThumbnailFormat, content: Content): ServedFile =>
  new ServedFile({ type: PICTURE_TYPES.webp, headers: guardedBy(SANDBOX), tag: `"${fileId}-${name}"`, content });

export const pictureFromElsewhere = (picture: RemotePicture): ServedFile =>
  new ServedFile({
    type: picture.type,
    headers: guardedBy(SANDBOX),
    tag: `"${picture.version}"`,
    content: picture,
  });

/** Sends the client to the file itself. */
export function toFile({ folder, fileId, pathName }: FoundFile): Redirect {
  const path = pathIdOf({ folder, fileId, pathName: encodeURIComponent(pathName) });
  return new Redirect(`/${UPLOADS_ROUTE}/${path}`, guardedBy(SANDBOX));
}

const guardedBy = (policy: string) => ({
  'Content-Security-Policy': policy,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  // No shared cache stores it, and browsers ask again each time, so that deleted files are gone (D7).
  'Cache-Control': 'private, no-cache',
});

const withCharset = (type: string): string => (type === 'text/plain' ? 'text/plain; charset=utf-8' : type);
