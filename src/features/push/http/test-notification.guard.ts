import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { edge } from '../../../platform/http/edge-state.js';
import { RateLimits } from '../../../platform/http/rate-limits.js';

/** Limits the test notifications of an account, over all routes that send them. Refused requests count, too. */
@Injectable()
export class TestNotificationGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const { user } = context.switchToHttp().getRequest<FastifyRequest>()[edge];
    if (user) await this.limits.countEffect(`test notifications of ${user._id}`);
    return true;
  }
}
