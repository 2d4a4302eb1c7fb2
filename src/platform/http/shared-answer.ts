import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { PreparedJson } from './prepared-json.js';

/** Smaller answers are not compressed: it would save nobody time. */
const LEAST_BYTES = 8 * 1024;

const ACCEPTS_GZIP = /(?:^|[\s,])(?:x-)?gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

const SUCCESS = { result: 'success', msg: '' };

const compress = promisify(gzip);

/** A handler's result that many requests get: it is written and compressed once for all of them. */
export class SharedAnswer {
  private plain: Buffer | null = null;
  private compressing: Promise<void> | null = null;
  private compressed: Buffer | null = null;

  constructor(readonly members: Readonly<Record<string, unknown>>) {}

  /** Resolves when it is written and, if that pays, compressed. */
  async prepared(): Promise<this> {
    this.plain ??= this.written(SUCCESS);
    if (this.plain.length >= LEAST_BYTES) this.compressing ??= this.compress(this.plain);
    await this.compressing;
    return this;
  }

  /** @param envelope has more members than that of a success if the request has unknown parameters */
  send(reply: FastifyReply, envelope: object): FastifyReply {
    reply.header('Content-Type', 'application/json; charset=utf-8').header('Vary', 'Accept-Encoding');
    if (this.plain === null || Object.keys(envelope).length > Object.keys(SUCCESS).length)
      return reply.send(this.written(envelope));
    if (this.compressed === null || !ACCEPTS_GZIP.test(reply.request.headers['accept-encoding'] ?? ''))
      return reply.send(this.plain);
    return reply.header('Content-Encoding', 'gzip').send(this.compressed);
  }

  private async compress(plain: Buffer): Promise<void> {
    this.compressed = await compress(plain);
  }

  private written(envelope: object): Buffer {
    const parts: Buffer[] = [];
    for (const [name, value] of Object.entries({ ...envelope, ...this.members })) {
      parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`));
      parts.push(value instanceof PreparedJson ? value.bytes : Buffer.from(JSON.stringify(value)));
    }
    return Buffer.concat([...parts, Buffer.from('}')]);
  }
}
