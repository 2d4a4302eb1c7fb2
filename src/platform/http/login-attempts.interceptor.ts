import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, type Observable, switchMap, tap } from 'rxjs';
import { DomainError } from '../kernel/deciding.js';
import { edge } from './edge-state.js';
import { LoginLimits } from './logins/login-limits.js';
import { parametersOf } from './parameters/parameters.decorator.js';

/** Limits failed logins by password, even if the rate limit of requests is off. */
@Injectable()
export class LoginAttemptsInterceptor implements NestInterceptor {
  constructor(private readonly limits: LoginLimits) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const account = parametersOf(request).get('username') ?? '';
    const attempt = { address: request.ip, account };
    return limited(this.limits.takePassword(attempt), next).pipe(
      tap({
        next: () => this.limits.remember(attempt),
        error: () => {
          request[edge].failedLogin = { account, secret: 'password' };
        },
      }),
    );
  }
}

/** Limits guesses of the caller's password, so that the holder of an API key cannot find it out. */
@Injectable()
class PasswordAttemptsInterceptor implements NestInterceptor {
  constructor(private readonly limits: LoginLimits) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { user } = request[edge];
    const parameters = parametersOf(request);
    const isGuess = ['old_password', 'new_password'].some((name) => (parameters.get(name) ?? '') !== '');
    return isGuess && user ? limited(this.limits.takeOwnPassword(user._id), next) : next.handle();
  }
}

/** Gives the attempt back if it succeeds, and if the server fails: only refusals count. */
const limited = (taken: Promise<() => void>, next: CallHandler): Observable<unknown> =>
  from(taken).pipe(
    switchMap((giveBack) =>
      next.handle().pipe(
        tap({
          next: giveBack,
          error: (error) => {
            if (!(error instanceof DomainError)) giveBack();
          },
        }),
      ),
    ),
  );

/** For a route that changes the caller's password: refuses with RATE_LIMIT_HIT after too many wrong old passwords. */
export const LimitPasswordAttempts = (): MethodDecorator & ClassDecorator =>
  UseInterceptors(PasswordAttemptsInterceptor);

/** For a route that takes `username` and a password: refuses with RATE_LIMIT_HIT after too many failures. */
export const LimitLoginAttempts = (): MethodDecorator & ClassDecorator => UseInterceptors(LoginAttemptsInterceptor);
