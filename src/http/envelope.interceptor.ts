import {
  type CallHandler,
  type ExecutionContext,
  HttpStatus,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { edge } from './edge-state.js';
import type { ParameterBag } from './parameters/parameter-bag.js';
import { parametersOf } from './parameters/parameters.decorator.js';

const BARE = 'http:bare';

/** The answer goes out as the handler returns it, without the envelope. */
export const WithoutEnvelope = (): MethodDecorator & ClassDecorator => SetMetadata(BARE, true);

/** `{result, msg}` around what the handler returns, and the names of parameters that the endpoint does not know. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler<object | undefined>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    // The API answers every success with 200; Nest's default for POST is 201.
    if (reply.statusCode === HttpStatus.CREATED) void reply.status(HttpStatus.OK);
    const sent = parametersOf(request);
    if (this.reflector.getAllAndOverride<boolean>(BARE, [context.getHandler(), context.getClass()]))
      return next.handle();
    return next.handle().pipe(
      map((body) => {
        const ignored = ignoredNames(sent, request[edge].supported, request.params);
        const envelope = { result: 'success', msg: '', ...body };
        return ignored.length === 0 ? envelope : { ...envelope, ignored_parameters_unsupported: ignored };
      }),
    );
  }
}

/** Clients repeat the ids of the path among their parameters: those are known too. */
function ignoredNames(sent: ParameterBag, supported: ReadonlySet<string>, path: Record<string, string>): string[] {
  const ignored: string[] = [];
  for (const name of sent.keys()) {
    if (!supported.has(name) && !Object.hasOwn(path, name)) ignored.push(name);
  }
  return ignored;
}
