import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { HttpStatus } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type ConnectionError, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { PAGE_HEADERS, Page } from '../pages/page.js';
import type { PagePaths } from '../pages/page-paths.js';
import { Answer } from './answers/answer.js';
import { BodyDeadlines } from './body-deadlines.js';
import { Compression } from './compression/compression.js';
import {
  type AskedFor,
  isReadableAnywhere,
  originHeaders,
  PREFLIGHT,
  READABLE_ANYWHERE,
} from './cross-origin/cross-origin.js';
import type { EdgeRefusal } from './edge.refusals.js';
import { EdgeState, edge } from './edge-state.js';
import { enveloped } from './envelope.js';
import { errorPage } from './error-page.js';
import { GatheredRequests, nobodyWaits } from './gathered-requests.js';
import { type HttpOptions, httpDefaults } from './http-options.js';
import { type Endpoint, ListeningAddresses } from './listeners.js';
import { registerBodyParsers } from './parameters/body-parsers.js';
import { isReadableEncoding, READ_ENCODINGS } from './parameters/encoded-body.js';
import { streamsBody } from './parameters/streamed-body.js';
import { Pipelines } from './pipelines.js';
import { HEADERS, plainRefusal, sendPlainly } from './plain-answer.js';
import { edgeAnswer, type RefusalAnswer } from './refusal-answer.js';
import { createLog, logRequest } from './request-log.js';
import { toOriginForm } from './request-target.js';
import { RouteMethods } from './route-methods.js';
import { endEarly, hasUnreadBody } from './unread-body.js';

/** The one expectation that HTTP defines. */
const CONTINUE = /^100-continue$/i;

/** The limit includes the URL, in which `GET /messages` may name 5000 messages. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Fastify stores names in lower case, and each other name would be written anew for each answer. */
const LOWER_CASE_HEADERS = Object.fromEntries(
  Object.entries(HEADERS).map(([name, value]) => [name.toLowerCase(), value]),
);
const HEADERS_ANYWHERE = { ...LOWER_CASE_HEADERS, ...READABLE_ANYWHERE };

type Answering = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Fastify with the API's body parsers, errors in the envelope from the first byte on, and a bounded close. */
export class ApiAdapter extends FastifyAdapter {
  readonly routeMethods = new RouteMethods();
  private parsersAreRegistered = false;
  private readonly listeners = new ListeningAddresses(this.getInstance().server);

  constructor(private readonly settings: HttpOptions) {
    super({
      // There is no middleware, and each request would look for it.
      skipMiddie: true,
      loggerInstance: createLog(settings),
      logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'correlationId' }),
      genReqId: () => randomUUID(),
      requestIdHeader: false,
      bodyLimit: settings.bodyLimit,
      // Node has one timeout for all routes. Routes that do not stream their body have a shorter one, below.
      requestTimeout: Math.max(settings.requestTimeout, settings.uploadTimeout),
      http: {
        maxHeaderSize: MAX_HEADER_BYTES,
        // Node would answer a missing Host without the envelope.
        requireHostHeader: false,
        headersTimeout: settings.requestTimeout,
        connectionsCheckingInterval: Math.min(5000, settings.requestTimeout),
      },
      trustProxy: settings.trustProxy,
      // While closing, requests on open connections are still answered; then the connection ends.
      return503OnClosing: false,
      frameworkErrors: answersToFrameworkErrors(settings),
      clientErrorHandler: answersToClientErrors(settings),
      routerOptions: { maxParamLength: 1000 },
      rewriteUrl: ({ url = '/' }) => settings.pages.routed(url),
    });
    const server = this.getInstance();
    server.decorateRequest(edge);
    // Without a listener, Node answers an unknown expectation itself, without the envelope.
    server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
    const gathered = new GatheredRequests();
    server.addHook('onRoute', (route) => {
      this.routeMethods.add(route.url, [route.method].flat());
      if (nobodyWaits(route)) route.onRequest = (_request, _reply, done) => gathered.add(done);
    });
    const deadlines = new BodyDeadlines(settings.requestTimeout, ({ raw, url }) =>
      answerFailure(REQUEST_TIMED_OUT, raw.socket, answeringTo({ url, headers: raw.headers }, settings)),
    );
    const pipelines = new Pipelines();
    // Node would set this timer of an idle connection anew for each request. The next one ends idle connections, too.
    server.server.keepAliveTimeout = 0;
    // Node's timer of a connection starts anew whenever a byte moves.
    server.server.setTimeout(settings.stallTimeout, (socket) => {
      if (pipelines.isStalled(socket)) socket.destroy();
    });
    server.addHook('onRequest', (request, reply, done) => pipelines.enter(request.raw.socket, reply.raw, done));
    server.addHook('onRequest', (request, reply, done) => {
      request[edge] = new EdgeState(request.ip);
      const isAnywhere = isReadableAnywhere(settings.crossOrigin, request);
      void reply.headers(isAnywhere ? HEADERS_ANYWHERE : LOWER_CASE_HEADERS).header('x-request-id', request.id);
      const fault = headerFault(request.raw);
      if (fault !== null) return answerEarly(request, reply.header('Connection', 'close'), fault, settings.pages);
      if (request.method === 'OPTIONS' && settings.crossOrigin.has(request.url))
        return void reply.status(HttpStatus.NO_CONTENT).headers(PREFLIGHT).send();
      if (!isReadableEncoding(request.headers))
        return answerEarly(
          request,
          reply,
          edgeAnswer('UNSUPPORTED_ENCODING', { accepted: READ_ENCODINGS }),
          settings.pages,
        );
      if (sendsBody(request.raw) && !streamsBody(request)) deadlines.expect(request);
      done();
    });
    server.addHook('preValidation', (request, _reply, done) => {
      deadlines.forget(request);
      done();
    });
    server.addHook('onSend', (request, reply, payload, done) => {
      // A handler that answers by itself, with a redirect or a file, has no result that `reply` is called with.
      request[edge].handled();
      // Fastify does not tell that a client has hung up in the middle of a streamed answer.
      if (payload instanceof Readable)
        reply.raw.once('close', () => {
          if (reply.raw.headersSent) logRequest(request, reply);
        });
      if (reply.hasHeader('set-cookie')) void reply.removeHeader('access-control-allow-origin');
      if (hasUnreadBody(request.raw)) {
        void reply.header('Connection', 'close');
        endEarly(request.raw);
      }
      done();
    });
    const compression = new Compression(settings.pages);
    server.addHook('onSend', (request, reply, payload, done) => {
      const sent = compression.sent(request, reply, payload);
      if (sent instanceof Promise) return sent;
      done(null, sent);
    });
    server.addHook('onResponse', (request, reply, done) => {
      deadlines.forget(request);
      logRequest(request, reply);
      done();
    });
  }

  override registerParserMiddleware(): void {
    if (this.parsersAreRegistered) return;
    registerBodyParsers(this.getInstance(), this.settings);
    this.parsersAreRegistered = true;
  }

  /** Answers every success with 200, as the API does. Nest's default for POST is 201. */
  override status(reply: FastifyReply, status: number): unknown {
    return super.status(reply, status === HttpStatus.CREATED ? HttpStatus.OK : status);
  }

  /** Sends a handler's result, or puts it into the envelope. An interceptor would wrap each request in observables. */
  override reply(reply: FastifyReply, answer: Answer): Promise<FastifyReply>;
  override reply(reply: FastifyReply, returned: unknown): FastifyReply;
  override reply(reply: FastifyReply, returned: unknown): FastifyReply | Promise<FastifyReply> {
    reply.request[edge].handled();
    if (returned instanceof Page) return super.reply(reply.headers(PAGE_HEADERS), returned.html, returned.status);
    if (returned instanceof Answer) return returned.send(reply);
    return super.reply(reply, enveloped(reply.request, returned));
  }

  /**
   * Listens on all addresses of a host, before the application can answer.
   * @param answer answers a request instead of the application; false: the application has to
   * @returns the port @throws Error with a code such as EADDRINUSE or ENOTFOUND
   */
  async openPort(where: Endpoint, answer: Answering): Promise<number> {
    const { server, routing } = this.getInstance();
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      if (!toOriginForm(request)) sendPlainly(request, response, MALFORMED_URL);
      else if (!answer(request, response)) routing(request, response);
    });
    return this.listeners.open(where);
  }

  /** Closes the port and all connections, if the application has not. */
  async closePort(): Promise<void> {
    const { server } = this.getInstance();
    if (!server.listening) return;
    const closed = [once(server, 'close'), this.listeners.close()];
    server.close();
    server.closeAllConnections();
    await Promise.all(closed);
  }

  /** Stops listening, waits for the answers to accepted requests, and cuts connections left after `closeTimeout`. */
  override async close(): Promise<void> {
    const cut = setTimeout(() => this.getInstance().server.closeAllConnections(), this.settings.closeTimeout);
    try {
      await Promise.all([super.close(), this.listeners.close()]);
    } finally {
      clearTimeout(cut);
    }
  }
}

/** @param options the options that differ from `httpDefaults` */
export function createHttpAdapter(options: Partial<HttpOptions> = {}): ApiAdapter {
  return new ApiAdapter({ ...httpDefaults, ...options });
}

const ABOUT_URL = { description: 'Malformed URL' };
const MALFORMED_URL = plainRefusal(edgeAnswer('MALFORMED_REQUEST', ABOUT_URL), false);

/** Answers the router's refusals, which come before any hook: a path not URL-encoded, or too long a parameter. */
const answersToFrameworkErrors =
  ({ pages, crossOrigin }: HttpOptions) =>
  (error: Error & { code?: string }, request: FastifyRequest, reply: FastifyReply): void => {
    void reply.headers(originHeaders(crossOrigin, request));
    const code: EdgeRefusal = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? 'PATH_TOO_LONG' : 'MALFORMED_REQUEST';
    answerEarly(request, reply.headers(HEADERS), edgeAnswer(code, ABOUT_URL), pages);
  };

/** The refusal of a request whose headers break HTTP; null if they do not. Earlier versions of HTTP have neither header. */
function headerFault({ headers, httpVersion }: IncomingMessage): RefusalAnswer | null {
  if (httpVersion !== '1.1') return null;
  if (headers.host === undefined) return edgeAnswer('MALFORMED_REQUEST', { description: 'Missing Host header' });
  if (headers.expect !== undefined && !CONTINUE.test(headers.expect)) return edgeAnswer('EXPECTATION_FAILED');
  return null;
}

/** Whether the client says that a body follows. */
const sendsBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Answers before any handler is known. */
function answerEarly(request: FastifyRequest, reply: FastifyReply, answer: RefusalAnswer, pages: PagePaths): void {
  void reply.status(answer.status).headers(answer.headers);
  if (!pages.has(request.url)) return void reply.send(answer.body);
  void reply.headers(PAGE_HEADERS).send(errorPage(answer).html);
}

const REQUEST_TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Bytes of a packet that tell whether it asks for a page. */
const MAX_METHOD_AND_PREFIX = 100;

/** Answers bytes that are no HTTP request, on the socket itself. No headers were read, so the answer depends on no cookie. */
const answersToClientErrors =
  (options: HttpOptions) =>
  (error: ConnectionError, socket: Socket): void =>
    answerFailure(error.code, socket, answeringTo({ url: urlIn(error.rawPacket), headers: {} }, options));

interface AnsweringTo {
  readonly isPage: boolean;
  readonly origins: Readonly<Record<string, string>>;
}

const answeringTo = (request: AskedFor, { pages, crossOrigin }: HttpOptions): AnsweringTo => ({
  isPage: pages.has(request.url ?? '/'),
  origins: originHeaders(crossOrigin, request),
});

/** The URL of the request that a packet begins with; empty if it begins with none. */
function urlIn(packet: unknown): string {
  const begin = Buffer.isBuffer(packet) ? packet.subarray(0, MAX_METHOD_AND_PREFIX).toString('latin1') : '';
  return /^[A-Z]+ (\S+)/.exec(begin)?.[1] ?? '';
}

function answerFailure(code: string, socket: Socket, { isPage, origins }: AnsweringTo): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const refusal = edgeAnswer(refusalOf(code), { description: 'Malformed HTTP' });
  const { status, headers, text } = plainRefusal(refusal, isPage);
  if (socket.writable) {
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...Object.entries({ ...origins, ...headers }).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${text}`);
  }
  socket.destroySoon();
}

function refusalOf(code: string): EdgeRefusal {
  if (code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE';
  if (code === REQUEST_TIMED_OUT) return 'REQUEST_TIMEOUT';
  return 'MALFORMED_REQUEST';
}
