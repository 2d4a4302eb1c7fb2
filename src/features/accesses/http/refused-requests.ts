import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Directory } from '../../../directory/directory.js';
import { requesterOf } from '../../../directory/http/caller.decorator.js';
import { edge, type FailedLogin } from '../../../platform/http/edge-state.js';
import { RefusalListeners } from '../../../platform/http/refusal-listeners.js';
import { nameForLog } from '../../../platform/http/request-log.js';
import { AccessLog } from '../commands/access-log.js';

/** Refusals by which a login fails. Others tell a client that its request is not complete. */
const LOGIN_REFUSALS: ReadonlySet<string> = new Set([
  'AUTHENTICATION_FAILED',
  'INVALID_API_KEY',
  'MALFORMED_API_KEY',
  'USER_DEACTIVATED',
  'RATE_LIMIT_HIT',
]);

/** Records logins that fail. */
@Injectable()
export class RefusedRequests {
  constructor(
    private readonly directory: Directory,
    private readonly accesses: AccessLog,
    refusals: RefusalListeners,
  ) {
    refusals.add((code, request) => this.refused(code, request));
  }

  private refused(code: string, request: FastifyRequest): void {
    const { failedLogin } = request[edge];
    if (failedLogin !== null && LOGIN_REFUSALS.has(code)) this.loginFailed(failedLogin, code, request);
  }

  private loginFailed({ account, secret }: FailedLogin, reason: string, request: FastifyRequest): void {
    const userId = this.directory.userByEmail(account)?._id ?? null;
    const words = { account: nameForLog(account) };
    this.accesses.record({ type: 'LoginFailed', data: { userId, secret, reason, words } }, requesterOf(request));
  }
}
