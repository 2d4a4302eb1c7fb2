import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../kernel/deciding.js';
import { SITE } from '../kernel/site.js';
import { ACCEPTS_PAGES } from './cross-origin/challenge.js';
import { HTTP_OPTIONS, type HttpOptions } from './http-options.js';
import { RouteMark } from './route-marks.js';
import { isOfThisSite } from './same-site.js';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

const ALONE = 'http:of-this-site-alone';

const isForThisSiteAlone = new RouteMark<true>(ALONE);

/** Marks a route that no page of another site may call, not even by a script: the browser obeys the cookie of its answer. */
export const OfThisSiteAlone = (): MethodDecorator & ClassDecorator => SetMetadata(ALONE, true);

/**
 * Refuses changes that a page of another site makes a browser send, with CROSS_SITE. A page may call the API by a script,
 * which has to know a key: the browser is asked for none (`unchallenging`), and a session counts for this site's pages
 * alone. Forms of another site are refused everywhere. If `Sec-Fetch-Mode` does not tell a form, `Accept` does.
 */
@Injectable()
export class SameSiteGuard implements CanActivate {
  constructor(
    @Inject(SITE) private readonly site: () => string,
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
  ) {}

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (READING.has(request.method) || isOfThisSite(request, this.site)) return true;
    const isForScripts = this.options.crossOrigin.has(request.url) && !isForThisSiteAlone.of(context);
    if (!isForScripts || !isSentByScript(request)) refuse('CROSS_SITE');
    return true;
  }
}

/** Whether a script sends the request under the rules for other origins, and no form. Such a request names its origin. */
function isSentByScript({ headers }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin, accept = '' } = headers;
  if (origin === undefined) return false;
  return site === undefined ? !ACCEPTS_PAGES.test(accept) : mode === 'cors';
}
