import type { IncomingHttpHeaders } from 'node:http';
import type { CrossOriginPaths } from './cross-origin-paths.js';

/** Headers that a page may read, besides those that every page may. */
const EXPOSED = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Range',
  'Date',
  'ETag',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** Headers that a page may send, besides those that every page may. A wildcard would let pages forge those of proxies. */
const ALLOWED = [
  'Authorization',
  'Cache-Control',
  'Content-Encoding',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'If-Range',
  'Pragma',
  'Range',
  'User-Agent',
  'X-Requested-With',
];

/** Seconds for which browsers remember the answer to a preflight; they have smaller bounds of their own. */
const MAX_AGE_SECONDS = 86_400;

/**
 * Lets a page of any origin read an answer. There is no `Access-Control-Allow-Credentials`, so a browser hides answers to
 * requests with credentials of its own, and the page has to know a key.
 */
export const READABLE_ANYWHERE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED.join(', '),
} as const;

/** The answer to a preflight: a browser's question whether a page may send a request. */
export const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers': ALLOWED.join(', '),
  'access-control-max-age': String(MAX_AGE_SECONDS),
} as const;

export interface AskedFor {
  readonly url?: string | undefined;
  readonly headers: Pick<IncomingHttpHeaders, 'cookie'>;
}

/** Whether pages of other origins may read the answer: no answer that may depend on a cookie. */
export const isReadableAnywhere = (paths: CrossOriginPaths, { url = '/', headers }: AskedFor): boolean =>
  headers.cookie === undefined && paths.has(url);

/** The headers of an answer that say who may read it. */
export const originHeaders = (paths: CrossOriginPaths, request: AskedFor): Readonly<Record<string, string>> =>
  isReadableAnywhere(paths, request) ? READABLE_ANYWHERE : {};
