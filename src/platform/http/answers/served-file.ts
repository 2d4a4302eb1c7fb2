import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { ByteRange, StoredFile } from '../../file-store/file-store.js';
import { sha256Of } from '../../kernel/sha256.js';
import { rangeOf } from '../byte-range.js';
import { type Encoding, preferredEncoding } from '../compression/accepted-encoding.js';
import { encode } from '../compression/encoders.js';
import { Answer } from './answer.js';

/** Headers of a file whose name changes with its content. */
export const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' } as const;

/** Headers of a file that rarely changes under its name. */
export const FOR_A_DAY = { 'Cache-Control': 'public, max-age=86400' } as const;

/** Headers of a file that may be another one tomorrow. */
export const ASKED_AGAIN = { 'Cache-Control': 'no-cache' } as const;

type Headers = Readonly<Record<string, string>>;

export interface FileParts {
  /** For `Content-Type`. */
  readonly type: string;
  /** Headers of caching, and of the browser's rights to the file. */
  readonly headers: Headers;
  /** For `ETag`. A client that has the file of this tag gets no content. */
  readonly tag?: string;
  /** Bytes of a content that is still to be opened. Clients may ask for a part of it. */
  readonly size?: number;
  /** A function opens the content for the clients that need it, or sends them elsewhere. */
  readonly content: Uint8Array | string | StoredFile | ((part?: ByteRange) => Promise<StoredFile | Redirect>);
  /** Gives the bytes in an encoding, instead of compressing them for each answer. */
  readonly encoded?: (encoding: Encoding) => Promise<Buffer>;
}

/** A handler's result that sends the client to another address, for this time. */
export class Redirect extends Answer {
  constructor(
    private readonly url: string,
    private readonly headers: Headers,
  ) {
    super();
  }

  send(reply: FastifyReply): FastifyReply {
    return reply.headers(this.headers).redirect(this.url, 302);
  }
}

/** A handler's result that is a file: its bytes, and what clients may do with them. */
export class ServedFile extends Answer {
  readonly type: string;

  constructor(private readonly parts: FileParts) {
    super();
    this.type = parts.type;
  }

  /** @throws DomainError RANGE_NOT_SATISFIABLE, and the errors of opening the content, before anything is sent */
  async send(reply: FastifyReply): Promise<FastifyReply> {
    const { type, headers, tag, size, encoded } = this.parts;
    const { method, headers: asked } = reply.request;
    const isHead = method === 'HEAD';
    const part = size === undefined || isHead ? undefined : rangeOf(asked, { size, tag });
    const isKnown = tag !== undefined && hasTag(asked['if-none-match'], tag);
    const content = await this.content(isKnown || (isHead && size !== undefined), part);
    if (content instanceof Redirect) return content.send(reply);
    void reply.headers({ ...headers, 'Content-Type': type });
    if (tag !== undefined) void reply.header('ETag', tag);
    if (size !== undefined) void reply.header('Accept-Ranges', 'bytes');
    if (isStored(content) && (isKnown || isHead)) content.content.destroy();
    if (isKnown) return reply.status(304).send();
    if (isStored(content)) return sendStored({ ...content, size: size ?? content.size, part, isHead }, reply);
    const encoding = encoded ? preferredEncoding(asked['accept-encoding']) : null;
    if (!encoded || encoding === null) return reply.send(content);
    return reply.header('Content-Encoding', encoding).send(await encoded(encoding));
  }

  /** @param isUnread whether the client needs no byte of a content that is still to be opened */
  private async content(isUnread: boolean, part: ByteRange | undefined) {
    const { content, size = 0 } = this.parts;
    if (typeof content !== 'function') return content;
    return isUnread ? { size, content: Readable.from([]) } : content(part);
  }
}

interface StoredPart extends StoredFile {
  readonly part: ByteRange | undefined;
  readonly isHead: boolean;
}

function sendStored({ size, content, part, isHead }: StoredPart, reply: FastifyReply): FastifyReply {
  if (part) void reply.status(206).header('Content-Range', `bytes ${part.start}-${part.end}/${size}`);
  const length = part ? part.end - part.start + 1 : size;
  return reply.header('Content-Length', length).send(isHead ? Readable.from([]) : content);
}

const isStored = (content: Uint8Array | string | StoredFile): content is StoredFile =>
  typeof content === 'object' && 'content' in content;

/** Tells whether `If-None-Match` has a tag, which may be weak. */
function hasTag(header: string | undefined, tag: string): boolean {
  const strong = (one: string): string => one.trim().replace(/^W\//, '');
  return header?.split(',').some((one) => strong(one) === strong(tag)) ?? false;
}

interface ProgramFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Encodings that were made before. */
  readonly encoded?: ReadonlyMap<Encoding, Buffer>;
  /** Headers besides the file's own, such as `FOR_EVER`. */
  readonly headers: Headers;
}

/** A file that comes with the program. It stays in memory, encoded once for all that ask. */
export function programFile({ type, bytes, encoded: made, headers }: ProgramFile): ServedFile {
  const encodings = new Map<Encoding, Buffer | Promise<Buffer>>(made);
  return new ServedFile({
    type,
    headers: { ...headers, Vary: 'Accept-Encoding' },
    // The tag is weak, because it stands for the content in every encoding.
    tag: `W/"${sha256Of(bytes).slice(0, 32)}"`,
    content: bytes,
    encoded: async (encoding) => {
      const known = encodings.get(encoding) ?? encode(bytes, encoding);
      encodings.set(encoding, known);
      return known;
    },
  });
}

/** A JSON document that is read as it is, without the envelope. */
export const jsonFile = (body: object): ServedFile =>
  new ServedFile({ type: 'application/json; charset=utf-8', headers: {}, content: JSON.stringify(body) });
