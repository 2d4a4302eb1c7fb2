import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { UserRecord } from '../directory/directory.records.js';
import type { CommandContext } from '../kernel/command-context.js';
import { clientName } from './client-name.js';
import { edge } from './edge-state.js';

/** Who asks. */
export interface Caller {
  /** As the directory had it when the request came in. */
  readonly user: UserRecord;
  /** Name of the client program, from its User-Agent. */
  readonly client: string;
  /** The request's id, in the log and in `X-Request-Id`. */
  readonly correlationId: string;
}

/** `send(@Caller() caller: Caller, …)`; only where the route is not public. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { user } = request[edge];
  if (!user) throw new TypeError('a public route has no caller');
  return { user, client: clientName(request.headers['user-agent']), correlationId: request.id };
});

/** The same without an account: for what a public route does (`POST /fetch_api_key`). */
export const Requester = createParamDecorator((_: unknown, context: ExecutionContext): CommandContext => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { user } = request[edge];
  return {
    actorId: user?._id ?? null,
    client: clientName(request.headers['user-agent']),
    correlationId: request.id,
  };
});

export const commandContext = ({ user, client, correlationId }: Caller): CommandContext => ({
  actorId: user._id,
  client,
  correlationId,
});
