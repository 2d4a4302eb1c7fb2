import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { preferredEncoding } from './compression/accepted-encoding.js';
import { LEAST_COMPRESSED_BYTES } from './compression/compression.js';
import { JsonInTurns } from './json-in-turns.js';

const SUCCESS = { result: 'success', msg: '' };

const compress = promisify(gzip);

/** A handler's result that many requests get: it is written and compressed once for all of them. */
export class SharedAnswer {
  private preparing: Promise<PreparedAnswer> | null = null;

  constructor(readonly members: Readonly<Record<string, unknown>>) {}

  /** Resolves when it is written and, if that pays, compressed. */
  prepared(): Promise<PreparedAnswer> {
    this.preparing ??= this.prepare();
    return this.preparing;
  }

  private async prepare(): Promise<PreparedAnswer> {
    const json = await JsonInTurns.of(this.members);
    const plain = Buffer.concat(json.behind(SUCCESS));
    return new PreparedAnswer(json, plain, plain.length < LEAST_COMPRESSED_BYTES ? null : await compress(plain));
  }
}

/** The bytes of a shared answer. */
export class PreparedAnswer {
  /** @param compressed null: it is too small */
  constructor(
    private readonly json: JsonInTurns,
    private readonly plain: Buffer,
    private readonly compressed: Buffer | null,
  ) {}

  /** @param envelope has more members than that of a success if the request has unknown parameters */
  send(reply: FastifyReply, envelope: object): FastifyReply {
    reply.header('vary', 'Accept-Encoding');
    if (Object.keys(envelope).length > Object.keys(SUCCESS).length) return this.json.send(reply, envelope);
    reply.header('content-type', 'application/json; charset=utf-8');
    const accepted = reply.request.headers['accept-encoding'];
    if (this.compressed === null || preferredEncoding(accepted, ['gzip']) === null) return reply.send(this.plain);
    return reply.header('content-encoding', 'gzip').send(this.compressed);
  }
}
