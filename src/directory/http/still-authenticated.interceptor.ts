import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Directory } from '../directory.js';
import { authenticate } from './basic-credentials.js';

@Injectable()
export class StillAuthenticatedInterceptor implements NestInterceptor {
  constructor(private readonly directory: Directory) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    return next.handle().pipe(
      map((answer: unknown) => {
        authenticate(this.directory, headers.authorization);
        return answer;
      }),
    );
  }
}

/** Authenticates again before the answer of a route that may wait long: the key or account may have ended meanwhile. */
export const StillAuthenticated = (): MethodDecorator => UseInterceptors(StillAuthenticatedInterceptor);
