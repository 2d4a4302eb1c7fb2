import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../http/public.decorator.js';
import { refuse } from '../kernel/domain-error.js';

/** Refuses forms that another site sends, with CROSS_SITE. Browsers say where a form comes from. */
@Injectable()
export class SameSiteGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const { method, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (method === 'GET' || method === 'HEAD') return true;
    const site = headers['sec-fetch-site'];
    if (site !== undefined) {
      if (site !== 'same-origin' && site !== 'none') refuse('CROSS_SITE');
      return true;
    }
    const { origin, host } = headers;
    if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)) refuse('CROSS_SITE');
    return true;
  }
}

/** For a controller of pages: needs no credentials, and takes forms from pages of this site alone. */
export const Pages = (): ClassDecorator => applyDecorators(Public(), UseGuards(SameSiteGuard));
