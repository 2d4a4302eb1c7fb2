import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { preferredEncoding } from '../compression/accepted-encoding.js';
import { LEAST_COMPRESSED_BYTES } from '../compression/compression.js';
import { enveloped } from '../envelope.js';
import { Answer } from './answer.js';
import { JsonInTurns } from './json-in-turns.js';

const SUCCESS = { result: 'success', msg: '' };

const compress = promisify(gzip);

/** A handler's result that many requests get: it is written and, if that pays, compressed once for all of them. */
export class SharedAnswer extends Answer {
  private writing: ReturnType<SharedAnswer['write']> | null = null;

  constructor(readonly members: Readonly<Record<string, unknown>>) {
    super();
  }

  /** @param envelope has more members than that of a success if the request has unknown parameters */
  async send(reply: FastifyReply, envelope = enveloped(reply.request, undefined)): Promise<FastifyReply> {
    this.writing ??= this.write();
    const { json, plain, compressed } = await this.writing;
    reply.header('vary', 'Accept-Encoding');
    if (Object.keys(envelope).length > Object.keys(SUCCESS).length) return json.send(reply, envelope);
    reply.header('content-type', 'application/json; charset=utf-8');
    const accepted = reply.request.headers['accept-encoding'];
    if (compressed === null || preferredEncoding(accepted, ['gzip']) === null) return reply.send(plain);
    return reply.header('content-encoding', 'gzip').send(compressed);
  }

  private async write() {
    const json = await JsonInTurns.of(this.members);
    const plain = Buffer.concat(json.behind(SUCCESS));
    return { json, plain, compressed: plain.length < LEAST_COMPRESSED_BYTES ? null : await compress(plain) };
  }
}
