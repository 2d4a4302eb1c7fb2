import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PagePaths } from '../../pages/page-paths.js';
import { type Encoding, preferredEncoding } from './accepted-encoding.js';
import { encode, encoderOf } from './encoders.js';

/** Smaller answers fit into a packet: it would save nobody time. */
export const LEAST_COMPRESSED_BYTES = 1024;

/** Other types, such as those of pictures, are compressed already, or made of hashes, which do not compress. */
const TEXT = /^(?:text\/|application\/(?:json|jsonl|x-ndjson)\b|image\/svg\+xml\b)/;

/** A part of a content is a part of it as it is stored, and such a digest is of the bytes that are sent. */
const AS_IT_IS = ['content-encoding', 'content-range', 'repr-digest'] as const;

/**
 * Compresses answers of text for the clients that ask for it, in Node's pool of threads.
 *
 * Pages are sent as they are: a form has a secret of its link, beside words that somebody else may choose, and the length
 * of what is compressed tells about both. No other answer has a secret beside words of others: see docs/http.md.
 */
export class Compression {
  constructor(private readonly pages: PagePaths) {}

  /** Describes the payload that is sent instead, and gives it: a promise only if it has to wait. */
  sent(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    if (!this.isWorthIt(request, reply, payload)) return payload;
    addVary(reply);
    const encoding = preferredEncoding(request.headers['accept-encoding']);
    if (encoding === null) return payload;
    if (payload instanceof Readable)
      return compressedStream(payload, { encoding, isHead: request.method === 'HEAD' }, reply);
    const bytes = bytesOf(payload);
    return bytes === null ? payload : compressedBytes(bytes, encoding, reply).then((fewer) => fewer ?? payload);
  }

  private isWorthIt(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
    if (lengthOf(reply, payload) < LEAST_COMPRESSED_BYTES) return false;
    if (request.headers.range !== undefined || this.pages.has(request.url)) return false;
    return TEXT.test(String(reply.getHeader('content-type'))) && !AS_IT_IS.some((name) => reply.hasHeader(name));
  }
}

/** Bytes of a payload, or so many at least; Infinity: a stream of unknown length. */
function lengthOf(reply: FastifyReply, payload: unknown): number {
  if (payload instanceof Readable) return Number(reply.getHeader('content-length') ?? Number.POSITIVE_INFINITY);
  if (Buffer.isBuffer(payload)) return payload.length;
  if (typeof payload !== 'string') return 0;
  return payload.length < LEAST_COMPRESSED_BYTES ? Buffer.byteLength(payload) : payload.length;
}

function bytesOf(payload: unknown): Buffer | null {
  if (Buffer.isBuffer(payload)) return payload;
  return typeof payload === 'string' ? Buffer.from(payload) : null;
}

function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  if (vary === undefined) void reply.header('vary', 'Accept-Encoding');
  else if (!/\baccept-encoding\b/i.test(String(vary))) void reply.header('vary', `${String(vary)}, Accept-Encoding`);
}

/** null: the bytes would become no fewer, or could not be encoded. */
async function compressedBytes(bytes: Buffer, encoding: Encoding, reply: FastifyReply): Promise<Buffer | null> {
  const sent = await encode(bytes, encoding).catch((error: unknown) => {
    reply.log.warn({ err: error }, 'an answer is sent without compression');
    return null;
  });
  if (sent === null || sent.length >= bytes.length) return null;
  describe(encoding, reply);
  return sent;
}

/** The stream is ended when the client hangs up, and the answer is cut off when the stream fails. */
function compressedStream(
  stream: Readable,
  { encoding, isHead }: { encoding: Encoding; isHead: boolean },
  reply: FastifyReply,
): Readable {
  const bytes = Number(reply.getHeader('content-length') ?? 0);
  describe(encoding, reply);
  if (isHead) return stream;
  const encoder = encoderOf(encoding, bytes);
  pipeline(stream, encoder, () => {});
  return encoder;
}

/** Other bytes may stand for the same content now, which a strong tag would deny, and parts of them are not to be had. */
function describe(encoding: Encoding, reply: FastifyReply): void {
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string' && !tag.startsWith('W/')) void reply.header('etag', `W/${tag}`);
  void reply.header('content-encoding', encoding);
  for (const name of ['content-length', 'accept-ranges']) void reply.removeHeader(name);
}
