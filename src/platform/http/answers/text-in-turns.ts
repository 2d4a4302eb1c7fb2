import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { nextSlice } from '../../kernel/slices.js';
import { Answer } from './answer.js';

/** A handler's result that is no JSON object: texts, which are made while the client reads them. */
export class TextInTurns extends Answer {
  /** @param texts each made in a few milliseconds; is ended when the client hangs up; the answer is cut off if it fails */
  constructor(
    private readonly contentType: string,
    private readonly texts: AsyncIterable<string>,
  ) {
    super();
  }

  send(reply: FastifyReply): FastifyReply {
    return reply
      .header('Content-Type', this.contentType)
      .send(Readable.from(inTurns(this.texts), { highWaterMark: 1 }));
  }
}

/** To a client that reads as fast as texts are made, the stream alone would never leave the turn to others. */
async function* inTurns(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const text of texts) {
    yield text;
    await nextSlice();
  }
}
