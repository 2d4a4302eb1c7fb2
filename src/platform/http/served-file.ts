import type { FastifyReply } from 'fastify';
import { sha256Of } from '../kernel/sha256.js';
import { type Encoding, preferredEncoding } from './compression/accepted-encoding.js';
import { encode } from './compression/encoders.js';

/** Headers of a file whose name changes with its content. */
export const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' } as const;

/** Headers of a file that may be another one tomorrow. */
export const ASKED_AGAIN = { 'Cache-Control': 'no-cache' } as const;

export interface FileContent {
  /** For `Content-Type`. */
  readonly type: string;
  readonly bytes: Buffer;
  /** Its encodings that were made before. */
  readonly encoded?: ReadonlyMap<Encoding, Buffer>;
}

/** A file that comes with the program. It stays in memory, encoded once for all that ask. */
export class ServedFile {
  readonly type: string;
  private readonly bytes: Buffer;
  private readonly tag: string;
  private readonly encodings: Map<Encoding, Promise<Buffer>>;

  /** @param headers besides `Content-Type`, such as `FOR_EVER` */
  constructor(
    { type, bytes, encoded }: FileContent,
    private readonly headers: Readonly<Record<string, string>>,
  ) {
    this.type = type;
    this.bytes = bytes;
    this.tag = `"${sha256Of(bytes).slice(0, 32)}"`;
    this.encodings = new Map([...(encoded ?? [])].map(([encoding, made]) => [encoding, Promise.resolve(made)]));
  }

  async send(reply: FastifyReply): Promise<void> {
    const asked = reply.request.headers;
    // The tag is weak, because it stands for the content in every encoding.
    void reply.headers({ ...this.headers, 'Content-Type': this.type, ETag: `W/${this.tag}`, Vary: 'Accept-Encoding' });
    if (hasTag(asked['if-none-match'], this.tag)) return void (await reply.status(304).send());
    const encoding = preferredEncoding(asked['accept-encoding']);
    if (encoding === null) return void (await reply.send(this.bytes));
    await reply.header('Content-Encoding', encoding).send(await this.in(encoding));
  }

  private in(encoding: Encoding): Promise<Buffer> {
    const known = this.encodings.get(encoding) ?? encode(this.bytes, encoding);
    this.encodings.set(encoding, known);
    return known;
  }
}

/** Tells whether `If-None-Match` has a tag. @param tag in quotation marks */
export const hasTag = (header: string | undefined, tag: string): boolean =>
  (header ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
