import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { HttpStatus } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type ConnectionError, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { EdgeState, edge } from './edge-state.js';
import { enveloped } from './envelope.js';
import type { RefusalCode } from './error-table.js';
import { type HttpOptions, httpDefaults } from './http-options.js';
import { registerBodyParsers } from './parameters/body-parsers.js';
import { streamsBody } from './parameters/streamed-body.js';
import { refusalAnswer } from './refusal-answer.js';
import { createLog, logRequest } from './request-log.js';
import { RouteMethods } from './route-methods.js';

const HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } as const;

/** The URL counts too, and `GET /messages` may name 5000 messages in it. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Fastify as the API needs it: its own body parsers, errors in the envelope from the first byte on, a bounded close. */
export class ApiAdapter extends FastifyAdapter {
  readonly routeMethods = new RouteMethods();
  private parsersAreRegistered = false;

  constructor(private readonly settings: HttpOptions) {
    super({
      loggerInstance: createLog(settings),
      logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'correlationId' }),
      genReqId: () => randomUUID(),
      requestIdHeader: false,
      bodyLimit: settings.bodyLimit,
      // Node knows one time for all routes; those that read their body first have a shorter one, below.
      requestTimeout: Math.max(settings.requestTimeout, settings.uploadTimeout),
      http: {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: settings.requestTimeout,
        connectionsCheckingInterval: Math.min(5000, settings.requestTimeout),
      },
      keepAliveTimeout: 72_000,
      trustProxy: settings.trustProxy,
      // What arrives on an open connection while closing is answered like everything else; then the connection ends.
      return503OnClosing: false,
      frameworkErrors: answerFrameworkError,
      clientErrorHandler: answerClientError,
      routerOptions: { maxParamLength: 1000 },
    });
    const server = this.getInstance();
    server.decorateRequest(edge);
    server.addHook('onRoute', ({ url, method }) => this.routeMethods.add(url, [method].flat()));
    server.addHook('onRequest', (request, reply, done) => {
      request[edge] = new EdgeState();
      void reply.headers(HEADERS).header('X-Request-Id', request.id);
      if (!streamsBody(request)) this.expectBody(request);
      done();
    });
    server.addHook('preValidation', (request, _reply, done) => {
      clearDeadline(request);
      done();
    });
    server.addHook('onResponse', (request, reply, done) => {
      clearDeadline(request);
      logRequest(request, reply);
      done();
    });
  }

  override registerParserMiddleware(): void {
    if (this.parsersAreRegistered) return;
    registerBodyParsers(this.getInstance(), this.settings);
    this.parsersAreRegistered = true;
  }

  /** The API answers every success with 200; Nest's default for POST is 201. */
  override status(reply: FastifyReply, status: number): unknown {
    return super.status(reply, status === HttpStatus.CREATED ? HttpStatus.OK : status);
  }

  /** What a handler has returned. Done here, since an interceptor would put all that follows into observables. */
  override reply(reply: FastifyReply, returned: unknown): ReturnType<FastifyAdapter['reply']> {
    reply.request[edge].handled();
    return super.reply(reply, enveloped(reply.request, returned));
  }

  private expectBody(request: FastifyRequest): void {
    const { headers, socket } = request.raw;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    request[edge].bodyDeadline = setTimeout(
      () => answerFailure(REQUEST_TIMED_OUT, socket),
      this.settings.requestTimeout,
    );
  }

  /** Stops listening, waits for the answers to what was accepted, and cuts what is left after `closeTimeout`. */
  override async close(): Promise<void> {
    const cut = setTimeout(() => this.getInstance().server.closeAllConnections(), this.settings.closeTimeout);
    try {
      await super.close();
    } finally {
      clearTimeout(cut);
    }
  }
}

/** @param options what differs from `httpDefaults` */
export function createHttpAdapter(options: Partial<HttpOptions> = {}): ApiAdapter {
  return new ApiAdapter({ ...httpDefaults, ...options });
}

/** A path that is not URL-encoded, or too long a parameter: refused by the router, before any hook. */
function answerFrameworkError(error: Error & { code?: string }, _request: FastifyRequest, reply: FastifyReply): void {
  const code: RefusalCode = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? 'PATH_TOO_LONG' : 'MALFORMED_REQUEST';
  const { status, body } = refusalAnswer(code, { description: 'Malformed URL' });
  void reply.status(status).headers(HEADERS).send(body);
}

function clearDeadline(request: FastifyRequest): void {
  clearTimeout(request[edge].bodyDeadline ?? undefined);
}

const REQUEST_TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/** What is no HTTP request at all: the socket is all there is to answer on. */
const answerClientError = (error: ConnectionError, socket: Socket): void => answerFailure(error.code, socket);

function answerFailure(code: string, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const { status, body } = refusalAnswer(refusalOf(code), { description: 'Malformed HTTP' });
  const text = JSON.stringify(body);
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    );
  }
  socket.destroySoon();
}

function refusalOf(code: string): RefusalCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE';
  if (code === REQUEST_TIMED_OUT) return 'REQUEST_TIMEOUT';
  return 'MALFORMED_REQUEST';
}
