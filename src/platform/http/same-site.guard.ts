import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../kernel/deciding.js';
import { SITE } from '../kernel/site.js';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses changes that a page of another site sends, with CROSS_SITE: a browser adds credentials of HTTP Basic that it remembers.
 * Over https and to localhost, browsers say so in `Sec-Fetch-Site`; elsewhere, and in older browsers, only `Origin` tells.
 * Programs send neither.
 */
@Injectable()
export class SameSiteGuard implements CanActivate {
  constructor(@Inject(SITE) private readonly site: () => string) {}

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (READING.has(request.method)) return true;
    const { 'sec-fetch-site': site, origin } = request.headers;
    if (site !== undefined) {
      if (site !== 'same-origin' && site !== 'none') refuse('CROSS_SITE');
      return true;
    }
    if (origin !== undefined && !this.isOwn(origin, request.host)) refuse('CROSS_SITE');
    return true;
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
