import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { edge } from '../../../platform/http/edge-state.js';
import { inMinute, SharedLimits } from '../../../platform/http/logins/shared-limits.js';

const MOST_TESTS = 10;

/** Limits the test notifications of an account in a minute, over all routes that send them. Refused requests count, too. */
@Injectable()
export class TestNotificationGuard implements CanActivate {
  constructor(private readonly limits: SharedLimits) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const { user } = context.switchToHttp().getRequest<FastifyRequest>()[edge];
    if (user) await this.limits.consume(inMinute(`test notifications of ${user._id}`, MOST_TESTS));
    return true;
  }
}
