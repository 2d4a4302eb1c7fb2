import type { FastifyReply } from 'fastify';

/** A handler's result that knows how it is sent. docs/http.md has the kinds; any other object is put into the envelope. */
export abstract class Answer {
  /** Resolves when it is handed over. An error before anything is sent is answered like one of the handler's. */
  abstract send(reply: FastifyReply): FastifyReply | Promise<FastifyReply>;
}
