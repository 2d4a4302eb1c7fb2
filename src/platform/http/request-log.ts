import { performance } from 'node:perf_hooks';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { type Bindings, type ChildLoggerOptions, pino } from 'pino';
import { visibleName } from './client-name.js';
import { edge } from './edge-state.js';
import type { HttpOptions } from './http-options.js';

/** Arguments of a line behind the first one. */
type Rest = readonly [message?: string, ...values: unknown[]];

/** Fastify would log the URL of a request with its errors. */
const SERIALIZERS = { req: () => undefined };

/**
 * Logs nothing that a client wrote, but the account that a failed login named, and a path that is none: no headers,
 * bodies, other paths or query strings, so no credentials and no content.
 */
export function createLog({ logLevel, logDestination }: HttpOptions): FastifyBaseLogger {
  const { isTTY = false } = logDestination ?? process.stderr;
  const log = pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: SERIALIZERS,
      // People read words, programs the numbers of pino.
      ...(isTTY && { formatters: { level: (label: string) => ({ level: label }) } }),
    },
    logDestination ?? pino.destination({ dest: 2, sync: false }),
  );
  return new LazyLog(logLevel, () => log);
}

/** A log whose children are made with their first line: Fastify asks for one for each request, and most write nothing. */
class LazyLog implements FastifyBaseLogger {
  /** Fastify reads them. */
  readonly serializers = SERIALIZERS;
  private made: FastifyBaseLogger | null = null;

  constructor(
    readonly level: string,
    private readonly make: () => FastifyBaseLogger,
  ) {}

  fatal(first: unknown, ...rest: Rest): void {
    this.log.fatal(first, ...rest);
  }

  error(first: unknown, ...rest: Rest): void {
    this.log.error(first, ...rest);
  }

  warn(first: unknown, ...rest: Rest): void {
    this.log.warn(first, ...rest);
  }

  info(first: unknown, ...rest: Rest): void {
    this.log.info(first, ...rest);
  }

  debug(first: unknown, ...rest: Rest): void {
    this.log.debug(first, ...rest);
  }

  trace(first: unknown, ...rest: Rest): void {
    this.log.trace(first, ...rest);
  }

  silent(): void {}

  child(bindings: Bindings, options?: ChildLoggerOptions): FastifyBaseLogger {
    return new LazyLog(options?.level ?? this.level, () => this.log.child(bindings, options));
  }

  private get log(): FastifyBaseLogger {
    this.made ??= this.make();
    return this.made;
  }
}

/** Levels at which requests are logged. */
const WITH_REQUESTS = new Set(['info', 'debug', 'trace']);

/** Logs a line for each request, after its answer or when its client has hung up. Fastify adds the correlation id. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const state = request[edge];
  if (state.isLogged) return;
  state.isLogged = true;
  if (!WITH_REQUESTS.has(request.log.level)) return;
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? null,
      ...(request.routeOptions.url === undefined ? { path: visibleName(request.url.split('?')[0] ?? '') } : {}),
      status: reply.statusCode,
      ms: Math.round((performance.now() - state.startedAt) * 10) / 10,
      userId: state.user?._id ?? null,
      address: state.address,
      ...(reply.raw.writableFinished ? {} : { hungUp: true }),
      ...(state.failedLogin === null ? {} : { failedLogin: visibleName(state.failedLogin.account) }),
    },
    'request',
  );
}
