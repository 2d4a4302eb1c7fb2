import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Encoding } from './accepted-encoding.js';

/** Higher ones take several times the processor time for a few percent. */
const GZIP = { level: 5 };
const BROTLI_QUALITY = 4;

/** A window of 512 KiB: each encoder of the default needs megabytes. */
const BROTLI_WINDOW_BITS = 19;

const brotliOptions = (sizeHint: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: sizeHint,
  },
});

const withBrotli = promisify<Buffer, object, Buffer>(brotliCompress);
const withGzip = promisify<Buffer, object, Buffer>(gzip);

/** Encodes bytes in a thread of Node's pool. */
export const encode = (bytes: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? withBrotli(bytes, brotliOptions(bytes.length)) : withGzip(bytes, GZIP);

/** Encodes a stream in a thread of Node's pool. @param bytes 0: not known */
export const encoderOf = (encoding: Encoding, bytes: number): Transform =>
  encoding === 'br' ? createBrotliCompress(brotliOptions(bytes)) : createGzip(GZIP);
