import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_HEADERS } from '../pages/page.js';
import { errorPage } from './error-page.js';
import type { RefusalAnswer } from './refusal-answer.js';
import { endEarly, hasUnreadBody } from './unread-body.js';

/**
 * Headers of every answer. The last one tells clients for how many seconds they may use an idle connection again: a little
 * less than the server keeps it (`stallTimeout`).
 */
export const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Keep-Alive': 'timeout=70',
} as const;

/** An answer that is sent without Fastify: it may not have begun, or the request may not be one. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export const jsonAnswer = (
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): PlainAnswer => ({
  status,
  headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
  text: JSON.stringify(body),
});

/** A refusal, in the envelope or as a page. */
export function plainRefusal(answer: RefusalAnswer, isPage: boolean): PlainAnswer {
  const { status, headers, body } = answer;
  if (!isPage) return jsonAnswer(status, body, headers);
  return { status, headers: { ...headers, ...PAGE_HEADERS }, text: errorPage(answer).html };
}

export function sendPlainly(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, text }: PlainAnswer,
): void {
  const isCut = hasUnreadBody(request);
  if (isCut) endEarly(request);
  response.writeHead(status, {
    ...HEADERS,
    ...headers,
    ...(isCut ? { Connection: 'close' } : {}),
    ...(status === 204 ? {} : { 'Content-Length': Buffer.byteLength(text) }),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
