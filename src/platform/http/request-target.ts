import type { IncomingMessage } from 'node:http';

/** Scheme, authority without a user, path with query. */
const ABSOLUTE = /^https?:\/\/([^/?#@]+)([/?][^#]*)?$/i;

/**
 * Makes `GET http://host/path` the same as `GET /path` with `Host: host`, which replaces the header (RFC 9112, 3.2.2).
 * @returns false if the URL is malformed, or no URL of HTTP: nothing is changed
 */
export function toOriginForm(request: IncomingMessage): boolean {
  const { url = '/', headers } = request;
  if (url.startsWith('/') || url === '*') return true;
  const [, authority, target = '/'] = ABSOLUTE.exec(url) ?? [];
  if (authority === undefined || !URL.canParse(url)) return false;
  request.url = target.startsWith('/') ? target : `/${target}`;
  // A request without the header stays refused: HTTP 1.1 demands it in this form, too.
  if (headers.host !== undefined) headers.host = authority;
  return true;
}
