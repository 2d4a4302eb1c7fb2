import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { edge } from '../../../platform/http/edge-state.js';
import { inMinute, SharedLimits } from '../../../platform/http/logins/shared-limits.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { PUSH_SENDER, type PushSender } from '../../../platform/push/push-sender.js';

const MOST_TESTS = 10;

/** Refuses registrations without a push service, before anything about the device is looked at. */
@Injectable()
export class PushServiceGuard implements CanActivate {
  constructor(@Inject(PUSH_SENDER) private readonly sender: PushSender | null) {}

  canActivate(): true {
    return this.sender === null ? refuse('PUSH_SERVICE_NOT_CONFIGURED') : true;
  }
}

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
