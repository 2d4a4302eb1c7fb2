import type { FastifyRequest } from 'fastify';

/**
 * Whether a request comes from a page of this server, a person or a program. Over https and to localhost, browsers tell by
 * `Sec-Fetch-Site`; elsewhere, and in older browsers, only `Origin` tells the site. Programs send neither.
 * @param site gives the server's public URL
 */
export function isOfThisSite({ headers, host }: FastifyRequest, site: () => string): boolean {
  const { 'sec-fetch-site': from, origin } = headers;
  if (from !== undefined) return from === 'same-origin' || from === 'none';
  return origin === undefined || isOwn(origin, host, site);
}

/** Whether a page of this server sends a request by itself. Over plain HTTP, except to localhost, reads have no mark. */
export function isOfOwnPage({ headers, host }: FastifyRequest, site: () => string): boolean {
  const { 'sec-fetch-site': from, 'sec-fetch-mode': mode, origin } = headers;
  if (from !== undefined) return from === 'same-origin' && mode !== 'navigate';
  return origin !== undefined && isOwn(origin, host, site);
}

/**
 * A proxy may pass on another `Host` than the browser's, so the public URL counts, too. Some proxies add the port that
 * browsers leave out: `chat.lan:443`.
 */
function isOwn(origin: string, host: string, site: () => string): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  const named = `${from.protocol}//${host}`;
  return (URL.canParse(named) && new URL(named).host === from.host) || from.origin === new URL(site()).origin;
}
