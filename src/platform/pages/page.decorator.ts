import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../http/public.decorator.js';
import { refuse } from '../kernel/domain-error.js';
import { SITE } from '../kernel/site.js';

/**
 * Refuses forms that another site sends, with CROSS_SITE. Over https and to localhost, browsers say so in `Sec-Fetch-Site`;
 * elsewhere, and in older browsers, only `Origin` tells.
 */
@Injectable()
export class SameSiteGuard implements CanActivate {
  constructor(@Inject(SITE) private readonly site: () => string) {}

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { method, headers } = request;
    if (method === 'GET' || method === 'HEAD') return true;
    const { 'sec-fetch-site': site, origin } = headers;
    if (site !== undefined) {
      if (site !== 'same-origin' && site !== 'none') refuse('CROSS_SITE');
      return true;
    }
    if (origin !== undefined && !this.isOwn(origin, request.host)) refuse('CROSS_SITE');
    return true;
  }

  /** A proxy may pass on another `Host` than the browser's, so the public URL counts, too. */
  private isOwn(origin: string, host: string): boolean {
    if (!URL.canParse(origin)) return false;
    const from = new URL(origin);
    return from.host === host || from.origin === new URL(this.site()).origin;
  }
}

/** For a controller of pages: needs no credentials, and takes forms from pages of this site alone. */
export const Pages = (): ClassDecorator => applyDecorators(Public(), UseGuards(SameSiteGuard));
