import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A handler's result that is no JSON object: texts, which are made while the client reads them. */
export class TextInTurns {
  /** @param texts is ended when the client hangs up; the answer is cut off if it fails */
  constructor(
    private readonly contentType: string,
    private readonly texts: AsyncIterable<string>,
  ) {}

  send(reply: FastifyReply): FastifyReply {
    return reply.header('Content-Type', this.contentType).send(Readable.from(this.texts, { highWaterMark: 1 }));
  }
}
