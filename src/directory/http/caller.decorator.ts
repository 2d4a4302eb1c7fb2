import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { clientName, sessionClient } from '../../platform/http/client-name.js';
import { edge } from '../../platform/http/edge-state.js';
import type { CommandContext } from '../../platform/kernel/deciding.js';
import type { UserRecord } from '../directory.records.js';

declare module '../../platform/http/edge-state.js' {
  interface EdgeAccount extends UserRecord {}
}

/** Whose request it is. */
export interface Caller {
  /** The account as it was when the request came in. */
  readonly user: UserRecord;
  /** What a command says of its cause. */
  readonly by: CommandContext;
}

/** `send(@Caller() { user, by }: Caller, …)`; not for public routes. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { user } = request[edge];
  if (!user) throw new TypeError('a public route has no caller');
  return { user, by: requesterOf(request) };
});

/** SHA-256 of the API key of a request, hexadecimal; not for public routes. */
export const CallersKeyHash = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { keyHash } = context.switchToHttp().getRequest<FastifyRequest>()[edge];
  if (keyHash === null) throw new TypeError('a public route has no API key');
  return keyHash;
});

/** The command context of a public route, which may have no account (`POST /fetch_api_key`). */
export const Requester = createParamDecorator(
  (_: unknown, context: ExecutionContext): CommandContext =>
    requesterOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The command context of a request, with the account that it is known to come from. */
export function requesterOf(request: FastifyRequest): CommandContext {
  const { user, address } = request[edge];
  return { actorId: user?._id ?? null, client: clientOf(request), correlationId: request.id, address };
}

function clientOf(request: FastifyRequest): string {
  const name = clientName(request.headers['user-agent']);
  return request[edge].isSession ? sessionClient(name) : name;
}
