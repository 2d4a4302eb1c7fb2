import { performance } from 'node:perf_hooks';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { edge } from './edge-state.js';
import type { HttpOptions } from './http-options.js';

/** Logs nothing that a client wrote: no headers, bodies, paths or query strings, so no credentials and no content. */
export function createLog({ logLevel, logDestination }: HttpOptions): FastifyBaseLogger {
  return pino(
    { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { req: () => undefined } },
    logDestination ?? pino.destination({ dest: 2, sync: false }),
  );
}

/** Logs one line for each request, after its answer. Fastify adds the correlation id. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const state = request[edge];
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round((performance.now() - state.startedAt) * 10) / 10,
      userId: state.user?._id ?? null,
    },
    'request',
  );
}
