import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { parametersOf } from './parameters/parameters.decorator.js';

/** Reads the parameters before any handler runs, so that a malformed query string changes nothing. */
@Injectable()
export class ReadableParametersGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    parametersOf(context.switchToHttp().getRequest<FastifyRequest>());
    return true;
  }
}
