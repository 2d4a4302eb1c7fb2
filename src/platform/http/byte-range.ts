import type { IncomingHttpHeaders } from 'node:http';
import parseRange from 'range-parser';
import type { ByteRange } from '../file-store/file-store.js';
import { refuse } from '../kernel/deciding.js';

/**
 * Gives the requested part of a file; undefined for the whole file. A request for several parts gets the whole file, and
 * so does a part that ends before it begins, which is no range (RFC 9110, section 14.1.1).
 * @throws DomainError RANGE_NOT_SATISFIABLE
 */
export function rangeOf(
  { range, 'if-range': condition }: IncomingHttpHeaders,
  { size, tag }: { readonly size: number; readonly tag: string | undefined },
): ByteRange | undefined {
  if (range === undefined || (condition !== undefined && condition !== tag) || isReversed(range)) return undefined;
  const ranges = parseRange(size, asksForAll(range, size) ? 'bytes=0-' : range);
  if (ranges === -2) return undefined;
  if (ranges === -1) return refuse('RANGE_NOT_SATISFIABLE', { size });
  const [only, ...more] = ranges;
  return only && ranges.type === 'bytes' && more.length === 0 ? { start: only.start, end: only.end } : undefined;
}

/** Whether a range asks for more bytes from the end than the file has: it gets all of them. */
const asksForAll = (range: string, size: number): boolean =>
  Number(/^bytes=\s*-\s*(\d+)\s*$/.exec(range)?.[1] ?? 0) > size;

const isReversed = (range: string): boolean =>
  [...range.matchAll(/(\d+)\s*-\s*(\d+)/g)].some(([, first, last]) => Number(last) < Number(first));
