import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../kernel/deciding.js';
import { SITE } from '../kernel/site.js';
import { HTTP_OPTIONS, type HttpOptions } from './http-options.js';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What a browser accepts that goes to another page, with a form or a link. */
const ACCEPTS_PAGES = /\btext\/html\b/i;

/**
 * Refuses changes that a page of another site makes a browser send, with CROSS_SITE. A page may call the API by a script, which
 * has to know a key: the browser adds none, because it is asked for none (`unchallenging`). Forms of another site are
 * refused everywhere. Over https and to localhost, browsers tell by `Sec-Fetch-Site` and `Sec-Fetch-Mode`; elsewhere, and in
 * older browsers, only `Origin` tells the site, and `Accept` a form. Programs send none of them.
 */
@Injectable()
export class SameSiteGuard implements CanActivate {
  constructor(
    @Inject(SITE) private readonly site: () => string,
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
  ) {}

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (READING.has(request.method) || this.isOfThisSite(request)) return true;
    if (!this.options.crossOrigin.has(request.url) || !isSentByScript(request)) refuse('CROSS_SITE');
    return true;
  }

  private isOfThisSite({ headers, host }: FastifyRequest): boolean {
    const { 'sec-fetch-site': site, origin } = headers;
    if (site !== undefined) return site === 'same-origin' || site === 'none';
    return origin === undefined || this.isOwn(origin, host);
  }

  /**
   * A proxy may pass on another `Host` than the browser's, so the public URL counts, too. Some proxies add the port that
   * browsers leave out: `chat.lan:443`.
   */
  private isOwn(origin: string, host: string): boolean {
    if (!URL.canParse(origin)) return false;
    const from = new URL(origin);
    const named = `${from.protocol}//${host}`;
    return (URL.canParse(named) && new URL(named).host === from.host) || from.origin === new URL(this.site()).origin;
  }
}

/** Whether a script sends the request under the rules for other origins, and no form. Such a request names its origin. */
function isSentByScript({ headers }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin, accept = '' } = headers;
  if (origin === undefined) return false;
  return site === undefined ? !ACCEPTS_PAGES.test(accept) : mode === 'cors';
}
