import { hash } from 'node:crypto';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, type Observable, switchMap, tap } from 'rxjs';
import { foldCase } from '../kernel/fold-case.js';
import { addressBlock } from './address-block.js';
import { edge } from './edge-state.js';
import { parametersOf } from './parameters/parameters.decorator.js';
import { RateLimits } from './rate-limits.js';

/** Limits failed logins for each address and name, even if the rate limit of requests is off. */
@Injectable()
export class LoginAttemptsInterceptor implements NestInterceptor {
  constructor(private readonly limits: RateLimits) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const named = parametersOf(request).get('username') ?? '';
    // Hashed because a name may be as long as a body, and is kept for a minute.
    const name = hash('sha256', foldCase(named));
    return limited(this.limits, `${addressBlock(request.ip)} ${name}`, next).pipe(
      tap({
        error: () => {
          request[edge].failedLogin = named;
        },
      }),
    );
  }
}

/** Limits guesses of the caller's password, so that the holder of an API key cannot find it out. */
@Injectable()
export class PasswordAttemptsInterceptor implements NestInterceptor {
  constructor(private readonly limits: RateLimits) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const parameters = parametersOf(request);
    if (['old_password', 'new_password'].every((name) => (parameters.get(name) ?? '') === '')) return next.handle();
    return limited(this.limits, `password of ${request[edge].user?._id}`, next);
  }
}

const limited = (limits: RateLimits, key: string, next: CallHandler): Observable<unknown> =>
  from(limits.takeLoginAttempt(key)).pipe(
    switchMap((giveBack) =>
      next.handle().pipe(
        switchMap(async (answer: unknown) => {
          await giveBack();
          return answer;
        }),
      ),
    ),
  );

/** For a route that changes the caller's password: refuses with RATE_LIMIT_HIT after too many wrong old passwords. */
export const LimitPasswordAttempts = (): MethodDecorator & ClassDecorator =>
  UseInterceptors(PasswordAttemptsInterceptor);

/** For a route that takes `username` and a password: refuses with RATE_LIMIT_HIT after too many failures. */
export const LimitLoginAttempts = (): MethodDecorator & ClassDecorator => UseInterceptors(LoginAttemptsInterceptor);
