import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Inject,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ContentKeysUnavailable } from '../content-keys/content-keys.js';
import { DocumentStoreUnavailable } from '../documents/document-store.js';
import { isUnavailability } from '../engines/unavailability.js';
import { FileStoreUnavailable } from '../file-store/file-store.js';
import { Overloaded } from '../kernel/admission.js';
import { DomainError } from '../kernel/deciding.js';
import { GatheredLines, gatheredText } from '../kernel/gathered-lines.js';
import { ContentRemainsError, PartlyDoneError, UnavailableError } from '../kernel/outcome-errors.js';
import { SITE } from '../kernel/site.js';
import { EventStoreUnavailable } from '../log/event-store.js';
import { PAGE_HEADERS } from '../pages/page.js';
import { isOpened, unchallenging, withoutChallenge } from './cross-origin/challenge.js';
import type { EdgeRefusal } from './edge.refusals.js';
import { edge } from './edge-state.js';
import { unknownParameters } from './envelope.js';
import { errorPage } from './error-page.js';
import { ApiAdapter } from './http-adapter.js';
import { HTTP_OPTIONS, type HttpOptions } from './http-options.js';
import { HEADERS } from './plain-answer.js';
import { REFUSALS, type Refusals } from './refusal.js';
import { edgeAnswer, type RefusalAnswer, refusalAnswer } from './refusal-answer.js';
import { RefusalListeners } from './refusal-listeners.js';
import type { RouteMethods } from './route-methods.js';
import { isOfOwnPage } from './same-site.js';

const BY_STATUS: Readonly<Record<number, EdgeRefusal>> = {
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  413: 'REQUEST_TOO_LARGE',
  414: 'PATH_TOO_LONG',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  431: 'HEADERS_TOO_LARGE',
};

const UNAVAILABLE = [EventStoreUnavailable, DocumentStoreUnavailable, ContentKeysUnavailable, FileStoreUnavailable];

/** Headers that say something of the bytes that would have been sent. */
const OF_CONTENT = [
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'repr-digest',
] as const;

/**
 * Turns every error of a handler into an answer. Lines of the log about errors of the same kind are gathered: while a disk
 * is full, every change is refused.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter, OnApplicationShutdown {
  private readonly lines = new GatheredLines();

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(REFUSALS) private readonly refusals: Refusals,
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
    private readonly listeners: RefusalListeners,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    request[edge].handled();
    const answer = this.expected(error, request) ?? this.unexpected(error, request);
    if (reply.sent) return;
    withdrawContent(reply);
    void reply.status(answer.status).headers(this.headersOf(answer, request));
    if (!this.options.pages.has(request.url)) return void reply.send(answer.body);
    void reply.headers(PAGE_HEADERS).send(errorPage(answer).html);
  }

  /**
   * A browser may ask a person for a key who opens a file: it adds the key to later requests below the same folder, where
   * nothing can be changed. It asks for no picture in a page.
   */
  private headersOf({ headers }: RefusalAnswer, request: FastifyRequest): RefusalAnswer['headers'] {
    if (this.options.crossOrigin.hasOutsideApi(request.url) && isOpened(request.headers)) return headers;
    return isOfOwnPage(request, this.site) ? withoutChallenge(headers) : unchallenging(headers, request.headers);
  }

  onApplicationShutdown(): void {
    this.lines.flush();
  }

  private log(level: 'warn' | 'error', text: string, error: unknown, { log }: FastifyRequest): void {
    this.lines.add(`${text} ${kindOf(error)}`, (repeats) =>
      log[level]({ err: error, ...repeats }, gatheredText(text, repeats)),
    );
  }

  private expected(error: unknown, request: FastifyRequest): RefusalAnswer | null {
    if (error instanceof DomainError) return this.refused(error, request);
    if (error instanceof ContentRemainsError) {
      this.log('warn', 'deleted words remain for a while', error, request);
      return edgeAnswer('WORDS_REMAIN');
    }
    if (error instanceof PartlyDoneError) {
      this.log('warn', 'partly done', error, request);
      return edgeAnswer('PARTLY_DONE');
    }
    if (error instanceof EventStoreUnavailable && error.stored === 'unknown') {
      this.log('error', 'not known whether it was stored', error, request);
      return edgeAnswer('OUTCOME_UNKNOWN');
    }
    const retryAfterSeconds = retryAfter(error);
    if (retryAfterSeconds !== null) {
      if (!(error instanceof Overloaded)) this.log('warn', 'unavailable', error, request);
      return edgeAnswer('SERVICE_UNAVAILABLE', { retryAfterSeconds });
    }
    if (isHangUp(error, request)) {
      request.log.info({ err: error }, 'the client has hung up');
      return edgeAnswer('REQUEST_TIMEOUT');
    }
    if (error instanceof HttpException && error.getStatus() < 500) return this.ofFramework(error, request);
    return null;
  }

  /** null for a code without a row, which is the server's mistake, not the client's. */
  private refused({ code, data }: DomainError, request: FastifyRequest): RefusalAnswer | null {
    const refusal = Object.hasOwn(this.refusals, code) ? this.refusals[code] : undefined;
    if (!refusal) return null;
    this.listeners.tell({ code, refusal }, request);
    if (refusal.status === 400 || refusal.status === 404) {
      // `PATCH /messages/flags` comes to the route of a message, and `PATCH /users/me` to that of a user: neither is one.
      const allowed = this.methodsOf(request, (methods, path) => methods.ofLiteral(path));
      if (allowed.length > 0 && !allowed.includes(request.method)) return methodNotAllowed(allowed);
    }
    const answer = refusalAnswer(refusal, data);
    return refusal.namesUnknown ? namingUnknown(answer, request) : answer;
  }

  private ofFramework(error: HttpException, request: FastifyRequest): RefusalAnswer {
    const status = error.getStatus();
    if (status === 404) {
      const allowed = this.methodsOf(request, (methods, path) => methods.allowed(path));
      if (allowed.length > 0) return methodNotAllowed(allowed);
    }
    return edgeAnswer(BY_STATUS[status] ?? 'MALFORMED_REQUEST', { description: 'Malformed request' });
  }

  private methodsOf(request: FastifyRequest, find: (methods: RouteMethods, path: string) => string[]): string[] {
    const { httpAdapter } = this.host;
    const [path = ''] = (request.raw.url ?? '').split('?');
    return httpAdapter instanceof ApiAdapter ? find(httpAdapter.routeMethods, path) : [];
  }

  /** Logs the stack of an error in the server. The client gets nothing of it. */
  private unexpected(error: unknown, request: FastifyRequest): RefusalAnswer {
    if (isUnavailability(error)) this.log('error', 'unexpected error', error, request);
    else request.log.error({ err: error }, 'unexpected error');
    return edgeAnswer('INTERNAL_SERVER_ERROR');
  }
}

const methodNotAllowed = (allowed: readonly string[]): RefusalAnswer =>
  edgeAnswer('METHOD_NOT_ALLOWED', { allowed: allowed.join(', ') });

/**
 * Adds the unknown parameters to the message, once the endpoint's own are known: a guard refuses before. The missing one
 * may be there, where the endpoint does not look for it.
 */
function namingUnknown(answer: RefusalAnswer, request: FastifyRequest): RefusalAnswer {
  const given = request[edge].supported.size === 0 ? [] : unknownParameters(request);
  const unknown = given.filter((name) => name !== answer.body.var_name);
  if (unknown.length === 0) return answer;
  return {
    ...answer,
    body: { ...answer.body, msg: `${answer.body.msg}; there is no parameter ${unknown.join(', ')}` },
  };
}

/** The error's name and the place where it was thrown. Its message may name what only this request is about. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return `${error.name} ${/^\s+at .*$/m.exec(error.stack ?? '')?.[0]}`;
}

/** Seconds, for an error after which a client may try again; else null. A 503 promises that nothing was stored (D3). */
function retryAfter(error: unknown): number | null {
  if (error instanceof UnavailableError) return error.retryAfterSeconds;
  return UNAVAILABLE.some((kind) => error instanceof kind) ? 1 : null;
}

const HANG_UP = /^(?:ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_PREMATURE_CLOSE|ABORT_ERR)$/;

/** Whether an error only says that the client's connection has ended. The same codes come from engines: then it has not. */
const isHangUp = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.socket.destroyed && error instanceof Error && 'code' in error && HANG_UP.test(String(error.code));

/**
 * Makes room for the headers of an error where a stream has failed before its first byte: Fastify has given Node the
 * headers of the stream by then, and would not write JSON under another type.
 */
function withdrawContent(reply: FastifyReply): void {
  if (reply.raw.headersSent || !reply.raw.hasHeader('content-type')) return;
  for (const name of OF_CONTENT) {
    void reply.removeHeader(name);
    reply.raw.removeHeader(name);
  }
  void reply.headers(HEADERS);
}
