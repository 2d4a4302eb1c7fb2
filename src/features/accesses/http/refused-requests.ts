import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Directory } from '../../../directory/directory.js';
import { requesterOf } from '../../../directory/http/caller.decorator.js';
import { visibleName } from '../../../platform/http/client-name.js';
import { edge, type FailedLogin } from '../../../platform/http/edge-state.js';
import { type MetRefusal, RefusalListeners } from '../../../platform/http/refusal-listeners.js';
import { AccessLog } from '../services/access-log.js';

/** Refusals by which a login fails. Others tell a client that its request is not complete. */
const LOGIN_REFUSALS: ReadonlySet<string> = new Set([
  'AUTHENTICATION_FAILED',
  'INVALID_API_KEY',
  'MALFORMED_API_KEY',
  'USER_DEACTIVATED',
  'RATE_LIMIT_HIT',
]);

const CHANGES_NOTHING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refusals that are recorded of reads, too. */
const REFUSED_READS: ReadonlySet<string> = new Set(['AUDIT_NOT_ALLOWED']);

/** Records logins that fail, and acts that their accounts have no right to. */
@Injectable()
export class RefusedRequests {
  constructor(
    private readonly directory: Directory,
    private readonly accesses: AccessLog,
    refusals: RefusalListeners,
  ) {
    refusals.add((met, request) => this.refused(met, request));
  }

  private refused({ code, refusal }: MetRefusal, request: FastifyRequest): void {
    const { failedLogin } = request[edge];
    if (failedLogin !== null && LOGIN_REFUSALS.has(code)) this.loginFailed(failedLogin, code, request);
    if (!refusal.lacksRight) return;
    if (CHANGES_NOTHING.has(request.method) && !REFUSED_READS.has(code)) return;
    // A message that is put together from data has words of others in it.
    const message = typeof refusal.message === 'string' ? refusal.message : '';
    const data = { ...operationOf(request), reason: code, message };
    this.accesses.record({ type: 'ActRefused', data }, requesterOf(request));
  }

  private loginFailed({ account, secret }: FailedLogin, reason: string, request: FastifyRequest): void {
    const userId = this.directory.userByEmail(account)?._id ?? null;
    const words = { account: visibleName(account) };
    this.accesses.record({ type: 'LoginFailed', data: { userId, secret, reason, words } }, requesterOf(request));
  }
}

/** The operation without what people wrote: of a path's parts that vary, the numbers. */
function operationOf({ method, params, routeOptions }: FastifyRequest) {
  const parts = Object.entries(params ?? {}).filter(([, part]) => /^\d{1,15}$/.test(String(part)));
  return {
    method,
    route: routeOptions.url ?? '',
    ids: Object.fromEntries(parts.map(([name, part]) => [name, Number(part)])),
  };
}
