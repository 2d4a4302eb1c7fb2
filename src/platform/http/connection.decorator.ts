import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { WatchedConnection } from '../kernel/client-connection.js';

/** `search(@Connection() connection: ClientConnection, …)`: whether the client still waits for the answer. */
export const Connection = createParamDecorator(
  (_: unknown, context: ExecutionContext): WatchedConnection =>
    new ReplyConnection(context.switchToHttp().getResponse<FastifyReply>()),
);

/** The connection that a reply goes out on. */
export class ReplyConnection implements WatchedConnection {
  constructor(protected readonly reply: FastifyReply) {}

  get isDisconnected(): boolean {
    return this.reply.raw.destroyed;
  }

  onEnd(act: () => void): void {
    this.reply.raw.once('close', act);
  }
}
