import { performance } from 'node:perf_hooks';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { edge } from './edge-state.js';
import type { HttpOptions } from './http-options.js';

const MAX_NAME = 100;
/** Characters that could change how a line is shown, or end it. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Logs nothing that a client wrote, but the account that a failed login named: no headers, bodies, paths or query strings, so no
 * credentials and no content.
 */
export function createLog({ logLevel, logDestination }: HttpOptions): FastifyBaseLogger {
  return pino(
    { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { req: () => undefined } },
    logDestination ?? pino.destination({ dest: 2, sync: false }),
  );
}

/** Logs one line for each request, after its answer or in its middle, where its client has hung up. Fastify adds the correlation id. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const state = request[edge];
  if (state.isLogged) return;
  state.isLogged = true;
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round((performance.now() - state.startedAt) * 10) / 10,
      userId: state.user?._id ?? null,
      address: state.address,
      ...(reply.raw.writableFinished ? {} : { hungUp: true }),
      ...(state.failedLogin === null ? {} : { failedLogin: nameForLog(state.failedLogin.account) }),
    },
    'request',
  );
}

/** The first characters of a name that a client wrote. Invisible ones are escaped: `\u{7f}`. */
export const nameForLog = (name: string): string =>
  [...name.slice(0, 2 * MAX_NAME)]
    .slice(0, MAX_NAME)
    .join('')
    .replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
