import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Directory } from '../directory/directory.js';
import { refuse } from '../kernel/domain-error.js';
import { authenticate } from './basic-credentials.js';
import { edge } from './edge-state.js';
import { PUBLIC } from './public.decorator.js';
import { RateLimits } from './rate-limits.js';

/** Who asks, and whether they may still ask this minute. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly directory: Directory,
    private readonly limits: RateLimits,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (this.limits.areOn) return this.counted(context, request);
    this.identify(context, request);
    return true;
  }

  private identify(context: ExecutionContext, request: FastifyRequest): void {
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, [context.getHandler(), context.getClass()])) return;
    request[edge].user = authenticate(this.directory, request.headers.authorization);
  }

  /** Who is not known by name, or claims one in vain, is counted by address. */
  private async counted(context: ExecutionContext, request: FastifyRequest): Promise<true> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    try {
      this.identify(context, request);
    } finally {
      const { user } = request[edge];
      await this.count(user ? `user ${user._id}` : `address ${request.ip}`, reply);
    }
    return true;
  }

  private async count(who: string, reply: FastifyReply): Promise<void> {
    const standing = await this.limits.count(who);
    if (!standing) return;
    void reply.headers({
      'X-RateLimit-Limit': standing.limit,
      'X-RateLimit-Remaining': standing.remaining,
      'X-RateLimit-Reset': standing.reset,
    });
    if (standing.retryAfter !== null) refuse('RATE_LIMIT_HIT', { 'retry-after': standing.retryAfter });
  }
}
