import contentDisposition from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { isShown } from '../domain/content-type.js';
import type { FoundFile } from '../queries/get-file.handler.js';
import type { ByteRange } from '../queries/read-file.handler.js';

/**
 * Nothing that somebody uploaded may run as a part of this site: what browsers could run is stored and never shown, and
 * what they show may load and run nothing. PDF viewers are themselves scripts of the browser's own, which a sandbox stops.
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
    // Kept by nobody in between; and asked for again each time, so that what was deleted is gone (D7).
    'Cache-Control': 'private, no-cache',
    ETag: etagOf(file),
  });
}

/** A file never changes: whoever has it may keep it. */
export const hasIt = (file: FoundFile, { headers }: FastifyRequest): boolean =>
  (headers['if-none-match'] ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etagOf(file));

/**
 * The part of the file that a request asks for; null for all of it, which is also the answer to several parts at once.
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

/** Says nothing of what is in it. */
const etagOf = ({ fileId }: Pick<FoundFile, 'fileId'>): string => `"${fileId}"`;

const withCharset = (type: string): string => (type === 'text/plain' ? 'text/plain; charset=utf-8' : type);
