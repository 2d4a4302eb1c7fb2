import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressBlock } from '../../platform/http/address-block.js';
import { edge } from '../../platform/http/edge-state.js';
import { PUBLIC } from '../../platform/http/public.decorator.js';
import { RateLimits } from '../../platform/http/rate-limits.js';
import { refuse } from '../../platform/kernel/domain-error.js';
import { Directory } from '../directory.js';
import { accountNamedIn, authenticate } from './basic-credentials.js';

/** Identifies the caller, and counts the request against the caller's rate limit. */
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
    const { authorization } = request.headers;
    const state = request[edge];
    try {
      const { user, keyHash } = authenticate(this.directory, authorization);
      state.user = user;
      state.keyHash = keyHash;
    } catch (error) {
      state.failedLogin = accountNamedIn(authorization);
      throw error;
    }
  }

  /** Counts the request by user, or by address if authentication failed or is not needed. */
  private async counted(context: ExecutionContext, request: FastifyRequest): Promise<true> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    try {
      this.identify(context, request);
    } finally {
      const { user } = request[edge];
      await this.count(user ? `user ${user._id}` : `address ${addressBlock(request.ip)}`, reply);
    }
    return true;
  }

  private async count(key: string, reply: FastifyReply): Promise<void> {
    const status = await this.limits.count(key);
    if (!status) return;
    void reply.headers({
      'X-RateLimit-Limit': status.limit,
      'X-RateLimit-Remaining': status.remaining,
      'X-RateLimit-Reset': status.reset,
    });
    if (status.retryAfter !== null) refuse('RATE_LIMIT_HIT', { 'retry-after': status.retryAfter });
  }
}
