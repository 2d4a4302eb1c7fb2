import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ClientConnection } from '../kernel/client-connection.js';

/** `search(@Connection() client: ClientConnection, …)`: whether the client still waits for the answer. */
export const Connection = createParamDecorator((_: unknown, context: ExecutionContext): ClientConnection => {
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  return {
    get isDisconnected() {
      return raw.destroyed;
    },
  };
});
