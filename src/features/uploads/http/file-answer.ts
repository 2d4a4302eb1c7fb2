import contentDisposition from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import { refuse } from '../../../platform/kernel/deciding.js';
import { isShown } from '../domain/content-type.js';
import type { FoundFile } from '../queries/get-file.handler.js';
import type { ByteRange } from '../queries/read-file.handler.js';

/**
 * Headers that keep uploaded files from running as a part of this site. Files with scripts are sent as downloads, and shown
 * files may load and run nothing. PDF files get no sandbox, because a sandbox stops the browser's own viewer.
 */
const POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'";
const SANDBOX = `${POLICY}; sandbox`;

export function describeFile(file: FoundFile, reply: FastifyReply, { asDownload = false } = {}): void {
  const isSeen = isShown(file.contentType) && !asDownload;
  void reply.headers({
    'Content-Type': isSeen ? withCharset(file.contentType) : 'application/octet-stream',
    'Content-Disposition': contentDisposition(file.name, { type: isSeen ? 'inline' : 'attachment' }),
    'Content-Security-Policy': file.contentType === 'application/pdf' ? POLICY : SANDBOX,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'Accept-Ranges': 'bytes',
    // No shared cache stores it, and browsers ask again each time, so that deleted files are gone (D7).
    'Cache-Control': 'private, no-cache',
    ETag: etagOf(file),
  });
}

/** Tells whether the client has the file already. The content of a file never changes. */
export const hasIt = (file: FoundFile, { headers }: FastifyRequest): boolean =>
  (headers['if-none-match'] ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etagOf(file));

/**
 * Gives the requested part of the file; null for the whole file. A request for several parts gets the whole file.
 * @throws DomainError RANGE_NOT_SATISFIABLE
 */
export function rangeOf({ size, ...file }: FoundFile, { headers, method }: FastifyRequest): ByteRange | null {
  const { range, 'if-range': condition } = headers;
  if (range === undefined || method === 'HEAD') return null;
  if (condition !== undefined && condition !== etagOf(file)) return null;
  const ranges = parseRange(size, range);
  if (ranges === -2) return null;
  if (ranges === -1) return refuse('RANGE_NOT_SATISFIABLE', { size });
  const [only, ...more] = ranges;
  return only && ranges.type === 'bytes' && more.length === 0 ? { start: only.start, end: only.end } : null;
}

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
const etagOf = ({ fileId }: Pick<FoundFile, 'fileId'>): string => `"${fileId}"`;

const withCharset = (type: string): string => (type === 'text/plain' ? 'text/plain; charset=utf-8' : type);
