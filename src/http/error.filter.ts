import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ContentKeysUnavailable } from '../content-keys/content-keys.js';
import { DocumentStoreUnavailable } from '../document-store/document-store.js';
import { EventStoreUnavailable } from '../event-store/event-store.js';
import { FileStoreUnavailable } from '../file-store/file-store.js';
import { Overloaded } from '../kernel/admission.js';
import { DomainError, PartlyDoneError, UnavailableError, WordsRemainError } from '../kernel/domain-error.js';
import { edge } from './edge-state.js';
import type { RefusalCode } from './error-table.js';
import { ApiAdapter } from './http-adapter.js';
import { answerTo, type RefusalAnswer, refusalAnswer } from './refusal-answer.js';

const BY_STATUS: Readonly<Record<number, RefusalCode>> = {
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  413: 'REQUEST_TOO_LARGE',
  414: 'PATH_TOO_LONG',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  431: 'HEADERS_TOO_LARGE',
};

const UNAVAILABLE = [EventStoreUnavailable, DocumentStoreUnavailable, ContentKeysUnavailable, FileStoreUnavailable];

/** The one place where an error becomes an answer. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    request[edge].handled();
    const answer = this.expected(error, request) ?? this.unexpected(error, request);
    if (reply.sent) return;
    void reply.status(answer.status).headers(answer.headers).send(answer.body);
  }

  private expected(error: unknown, request: FastifyRequest): RefusalAnswer | null {
    if (error instanceof DomainError) return answerTo(error.code, error.data);
    if (error instanceof WordsRemainError) {
      request.log.warn({ err: error }, 'deleted words remain for a while');
      return refusalAnswer('WORDS_REMAIN');
    }
    if (error instanceof PartlyDoneError) {
      request.log.warn({ err: error }, 'partly done');
      return refusalAnswer('PARTLY_DONE');
    }
    if (error instanceof EventStoreUnavailable && error.stored === 'unknown') {
      request.log.error({ err: error }, 'not known whether it was stored');
      return refusalAnswer('OUTCOME_UNKNOWN');
    }
    const retryAfterSeconds = retryAfter(error);
    if (retryAfterSeconds !== null) {
      if (!(error instanceof Overloaded)) request.log.warn({ err: error }, 'unavailable');
      return refusalAnswer('SERVICE_UNAVAILABLE', { retryAfterSeconds });
    }
    if (error instanceof HttpException && error.getStatus() < 500) return this.ofFramework(error, request);
    return null;
  }

  private ofFramework(error: HttpException, request: FastifyRequest): RefusalAnswer {
    const status = error.getStatus();
    if (status === 404) {
      const allowed = this.allowedMethods(request);
      if (allowed.length > 0) return refusalAnswer('METHOD_NOT_ALLOWED', { allowed: allowed.join(', ') });
    }
    return refusalAnswer(BY_STATUS[status] ?? 'MALFORMED_REQUEST', { description: 'Malformed request' });
  }

  private allowedMethods(request: FastifyRequest): string[] {
    const { httpAdapter } = this.host;
    const [path = ''] = (request.raw.url ?? '').split('?');
    return httpAdapter instanceof ApiAdapter ? httpAdapter.routeMethods.allowed(path) : [];
  }

  /** Ours to mend: the stack goes to the log, nothing of it to the client. */
  private unexpected(error: unknown, request: FastifyRequest): RefusalAnswer {
    request.log.error({ err: error }, 'unexpected error');
    return refusalAnswer('INTERNAL_SERVER_ERROR');
  }
}

/** Seconds, for what a client may simply try again. A 503 promises that nothing was stored (D3). */
function retryAfter(error: unknown): number | null {
  if (error instanceof UnavailableError) return error.retryAfterSeconds;
  return UNAVAILABLE.some((kind) => error instanceof kind) ? 1 : null;
}
