import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { edge } from '../../platform/http/edge-state.js';
import { KeyUses } from '../key-uses.js';

/** Records that the caller's API key is in use. */
@Injectable()
export class KeyUseGuard implements CanActivate {
  constructor(private readonly uses: KeyUses) {}

  canActivate(context: ExecutionContext): true {
    const { keyHash } = context.switchToHttp().getRequest<FastifyRequest>()[edge];
    if (keyHash !== null) this.uses.record(keyHash);
    return true;
  }
}
