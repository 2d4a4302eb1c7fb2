import type { FastifyReply } from 'fastify';
import { enveloped } from '../envelope.js';
import { Answer } from './answer.js';

/** A handler's result in the envelope, with a cookie. */
export class WithCookie extends Answer {
  /** @param cookie value of `Set-Cookie` */
  constructor(
    private readonly cookie: string,
    private readonly members: object = {},
  ) {
    super();
  }

  send(reply: FastifyReply): FastifyReply {
    return reply.header('Set-Cookie', this.cookie).send(enveloped(reply.request, this.members));
  }
}
