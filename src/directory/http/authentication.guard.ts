import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BOT_TYPES } from '../../events/users/users.settings.js';
import { addressBlock } from '../../platform/http/address-block.js';
import { edge } from '../../platform/http/edge-state.js';
import { LoginLimits } from '../../platform/http/logins/login-limits.js';
import { RateLimits } from '../../platform/http/rate-limits.js';
import { isPublic, type WebhookBots, webhookBots } from '../../platform/http/route-marks.js';
import { DomainError, refuse } from '../../platform/kernel/deciding.js';
import { SITE } from '../../platform/kernel/site.js';
import { Directory } from '../directory.js';
import type { UserRecord } from '../directory.records.js';
import {
  type Authenticated,
  accountNamedIn,
  authenticate,
  authenticateByQuery,
  authenticateBySession,
} from './credentials.js';

/** Identifies the caller, and counts the request against the caller's rate limit. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly directory: Directory,
    private readonly limits: RateLimits,
    private readonly logins: LoginLimits,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const refused = this.identify(context, request);
    if (refused === null && !this.limits.areOn) return true;
    return this.counted(context, request, refused);
  }

  /** @returns the refusal of the credentials; null if they are right, or not needed */
  private identify(context: ExecutionContext, request: FastifyRequest): DomainError | null {
    if (isPublic.of(context)) return null;
    const { authorization } = request.headers;
    const state = request[edge];
    const bots = webhookBots.of(context);
    try {
      const { user, keyHash } = bots === 'alone' ? authenticateByQuery(this.directory, request) : this.known(request);
      state.user = user;
      state.keyHash = keyHash;
      requireOpenFor(user, bots);
      if (user.passwordHash !== null) this.logins.remember({ address: request.ip, account: user.email });
      return null;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (state.user !== null) return error;
      const account = bots === 'alone' ? null : accountNamedIn(authorization);
      if (account !== null) state.failedLogin = { account, secret: 'apiKey' };
      return error;
    }
  }

  private known(request: FastifyRequest): Authenticated {
    const { authorization } = request.headers;
    if (authorization !== undefined) return authenticate(this.directory, authorization);
    const session = authenticateBySession(this.directory, request, this.site);
    request[edge].isSession = true;
    return session;
  }

  /** Counts the request by user, or by address if authentication failed or is not needed. Counts a wrong key besides. */
  private async counted(
    context: ExecutionContext,
    request: FastifyRequest,
    refused: DomainError | null,
  ): Promise<true> {
    const { user, failedLogin } = request[edge];
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    await this.count(user ? `user ${user._id}` : `address ${addressBlock(request.ip)}`, reply);
    if (refused === null) return true;
    const isGuess = failedLogin !== null && refused.code !== 'USER_DEACTIVATED';
    if (isGuess) await this.logins.countWrongKey({ address: request.ip, account: failedLogin.account });
    throw refused;
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

/** @throws DomainError WEBHOOK_BOTS_NOT_ALLOWED, WEBHOOK_BOTS_ALONE */
function requireOpenFor({ bot }: UserRecord, bots: WebhookBots | undefined): void {
  const isWebhook = bot?.type === BOT_TYPES.incomingWebhook;
  if (isWebhook && bots === undefined) refuse('WEBHOOK_BOTS_NOT_ALLOWED');
  if (!isWebhook && bots === 'alone') refuse('WEBHOOK_BOTS_ALONE');
}
