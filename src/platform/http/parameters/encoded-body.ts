import type { IncomingHttpHeaders } from 'node:http';
import { promisify, types } from 'node:util';
import { gunzip, type ZlibOptions } from 'node:zlib';
import { refuse } from '../../kernel/deciding.js';

/** Encodings of bodies that are read, for the header that says so. */
export const READ_ENCODINGS = 'gzip';

const IS_GZIP = /^(?:x-)?gzip$/i;
const IS_IDENTITY = /^(?:identity)?$/i;

/** Code of Node's error. */
const IS_TOO_LARGE = /^ERR_BUFFER_TOO_LARGE$/;

const inflated = promisify<Buffer, ZlibOptions, Buffer>(gunzip);

/** Whether a body in this encoding is read. Multipart bodies are read as they come, and their files are mostly compressed. */
export function isReadableEncoding({
  'content-encoding': encoding = '',
  'content-type': type = '',
}: IncomingHttpHeaders): boolean {
  if (IS_IDENTITY.test(encoding)) return true;
  return IS_GZIP.test(encoding) && !/^multipart\//i.test(type);
}

/**
 * The bytes of a body, as they were before a client compressed them.
 * @param limit the most bytes: no more are made
 * @throws DomainError REQUEST_TOO_LARGE, MALFORMED_REQUEST
 */
export async function decodedBody(
  body: Buffer,
  { 'content-encoding': encoding = '' }: IncomingHttpHeaders,
  limit: number,
): Promise<Buffer> {
  if (body.length === 0 || IS_IDENTITY.test(encoding)) return body;
  try {
    return await inflated(body, { maxOutputLength: limit });
  } catch (error) {
    if (types.isNativeError(error) && 'code' in error && IS_TOO_LARGE.test(String(error.code)))
      refuse('REQUEST_TOO_LARGE');
    refuse('MALFORMED_REQUEST', { description: 'The body is not gzip' });
  }
}
