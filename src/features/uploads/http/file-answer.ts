import contentDisposition from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import { hasTag } from '../../../platform/http/served-file.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { PICTURE_TYPES } from '../../../platform/pictures/picture-task.js';
import type { RemotePicture } from '../../remote-pictures/queries/read-remote-picture.handler.js';
import { isShown } from '../domain/content-type.js';
import { pathIdOf } from '../domain/file-path.js';
import type { ThumbnailFormat } from '../domain/thumbnail-format.js';
import type { FoundFile } from '../queries/get-file.handler.js';
import type { ByteRange } from '../queries/read-file.handler.js';
import { UPLOADS_ROUTE } from '../upload-routes.js';

/**
 * Headers that keep uploaded files from running as a part of this site. Files with scripts are sent as downloads, and shown
 * files may load and run nothing. PDF files get no sandbox, because a sandbox stops the browser's own viewer.
 */
const POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'";
const SANDBOX = `${POLICY}; sandbox`;

export function describeFile(file: FoundFile, reply: FastifyReply, { asDownload = false } = {}): void {
  const isSeen = isShown(file.contentType) && !asDownload;
  void reply.headers({
    ...guardedBy(file.contentType === 'application/pdf' ? POLICY : SANDBOX),
    'Content-Type': isSeen ? withCharset(file.contentType) : 'application/octet-stream',
    'Content-Disposition': contentDisposition(file.name, { type: isSeen ? 'inline' : 'attachment' }),
    'Accept-Ranges': 'bytes',
    ETag: etagOf(file),
  });
}

export function describeThumbnail(file: FoundFile, { name }: ThumbnailFormat, reply: FastifyReply): void {
  void reply.headers({ ...guardedBy(SANDBOX), 'Content-Type': PICTURE_TYPES.webp, ETag: etagOf(file, name) });
}

/** Describes a picture of another site, and says whether the client has it already. */
export function describeRemote(
  { type, version }: RemotePicture,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const etag = `"${version}"`;
  void reply.headers({ ...guardedBy(SANDBOX), 'Content-Type': type, ETag: etag });
  return hasTag(request.headers['if-none-match'], etag);
}

/** Sends the client to the file itself. */
export async function redirectTo({ folder, fileId, pathName }: FoundFile, reply: FastifyReply): Promise<void> {
  const path = pathIdOf({ folder, fileId, pathName: encodeURIComponent(pathName) });
  await reply.headers(guardedBy(SANDBOX)).redirect(`/${UPLOADS_ROUTE}/${path}`, 302);
}

const guardedBy = (policy: string) => ({
  'Content-Security-Policy': policy,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  // No shared cache stores it, and browsers ask again each time, so that deleted files are gone (D7).
  'Cache-Control': 'private, no-cache',
});

/**
 * Tells whether the client has the file already. The content of a file never changes.
 *
 * @param variant the name of a thumbnail's format
 */
export const hasIt = (file: FoundFile, request: FastifyRequest, variant?: string): boolean =>
  hasTag(request.headers['if-none-match'], etagOf(file, variant));

/**
 * Gives the requested part of the file; null for the whole file. A request for several parts gets the whole file, and so
 * does a part that ends before it begins, which is no range (RFC 9110, section 14.1.1).
 * @throws DomainError RANGE_NOT_SATISFIABLE
 */
export function rangeOf({ size, ...file }: FoundFile, { headers, method }: FastifyRequest): ByteRange | null {
  const { range, 'if-range': condition } = headers;
  if (range === undefined || method === 'HEAD') return null;
  if (condition !== undefined && condition !== etagOf(file)) return null;
  if (isReversed(range)) return null;
  const ranges = parseRange(size, asksForAll(range, size) ? 'bytes=0-' : range);
  if (ranges === -2) return null;
  if (ranges === -1) return refuse('RANGE_NOT_SATISFIABLE', { size });
  const [only, ...more] = ranges;
  return only && ranges.type === 'bytes' && more.length === 0 ? { start: only.start, end: only.end } : null;
}

/** Whether a range asks for more bytes from the end than the file has: it gets all of them. */
const asksForAll = (range: string, size: number): boolean =>
  Number(/^bytes=\s*-\s*(\d+)\s*$/.exec(range)?.[1] ?? 0) > size;

const isReversed = (range: string): boolean =>
  [...range.matchAll(/(\d+)\s*-\s*(\d+)/g)].some(([, first, last]) => Number(last) < Number(first));

export function describeLength({ size }: FoundFile, range: ByteRange | null, reply: FastifyReply): void {
  if (range === null) {
    void reply.header('Content-Length', size);
    return;
  }
  void reply
    .status(206)
    .header('Content-Length', range.end - range.start + 1)
    .header('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
}

/** Makes the entity tag from the id, which tells nothing about the content. */
const etagOf = ({ fileId }: Pick<FoundFile, 'fileId'>, variant?: string): string =>
  variant === undefined ? `"${fileId}"` : `"${fileId}-${variant}"`;

const withCharset = (type: string): string => (type === 'text/plain' ? 'text/plain; charset=utf-8' : type);
