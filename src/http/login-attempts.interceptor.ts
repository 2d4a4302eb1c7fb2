import { hash } from 'node:crypto';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, type Observable, switchMap } from 'rxjs';
import { fold } from '../kernel/fold.js';
import { edge } from './edge-state.js';
import { parametersOf } from './parameters/parameters.decorator.js';
import { RateLimits } from './rate-limits.js';

/** Limits failures for each address and name, whether or not the rate limit of requests is on. */
@Injectable()
export class LoginAttemptsInterceptor implements NestInterceptor {
  constructor(private readonly limits: RateLimits) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    // Hashed: a name may be as long as a body, and is remembered for a minute.
    const name = hash('sha256', fold(parametersOf(request).get('username') ?? ''));
    return limited(this.limits, `${request.ip} ${name}`, next);
  }
}

/** Who holds a key is not let find out the password by it either. */
@Injectable()
export class PasswordAttemptsInterceptor implements NestInterceptor {
  constructor(private readonly limits: RateLimits) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if ((parametersOf(request).get('new_password') ?? '') === '') return next.handle();
    return limited(this.limits, `password of ${request[edge].user?._id}`, next);
  }
}

const limited = (limits: RateLimits, who: string, next: CallHandler): Observable<unknown> =>
  from(limits.takeLoginAttempt(who)).pipe(
    switchMap((giveBack) =>
      next.handle().pipe(
        switchMap(async (answer: unknown) => {
          await giveBack();
          return answer;
        }),
      ),
    ),
  );

/** For a route that changes the caller's password, proven by the old one: the same of their own failures. */
export const LimitPasswordAttempts = (): MethodDecorator & ClassDecorator =>
  UseInterceptors(PasswordAttemptsInterceptor);

/** For a route that takes `username` and a password: refuses with RATE_LIMIT_HIT after too many failures. */
export const LimitLoginAttempts = (): MethodDecorator & ClassDecorator => UseInterceptors(LoginAttemptsInterceptor);
