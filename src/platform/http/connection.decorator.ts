import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ClientConnection } from '../kernel/client-connection.js';

/** `search(@Connection() client: ClientConnection, …)`: whether the client still waits for the answer. */
export const Connection = createParamDecorator(
  (_: unknown, context: ExecutionContext): ClientConnection =>
    new ReplyConnection(context.switchToHttp().getResponse<FastifyReply>()),
);

/** The connection that a reply goes out on. */
export class ReplyConnection implements ClientConnection {
  constructor(protected readonly reply: FastifyReply) {}

  get isDisconnected(): boolean {
    return this.reply.raw.destroyed;
  }
}
