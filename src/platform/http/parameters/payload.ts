import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../../kernel/deciding.js';
import type { Json } from '../../kernel/json.js';
import { parseJsonParameter } from './json-value.js';
import type { ParameterBag } from './parameter-bag.js';

/** The route takes any JSON as its body, or as `payload` of a form. Its parameters are in the query alone. */
export const TakesPayload = (): MethodDecorator => RouteConfig({ takesPayload: true });

export const takesPayload = ({ routeOptions }: FastifyRequest): boolean =>
  'takesPayload' in routeOptions.config && routeOptions.config.takesPayload === true;

/** The body of a route that takes a payload. */
export class PayloadBody {
  constructor(readonly json: Json) {}
}

/** @throws DomainError REQUEST_VARIABLE_MISSING, INVALID_JSON_PARAMETER, INVALID_PARAMETER */
export function payloadIn(form: ParameterBag): PayloadBody {
  const text = form.get('payload');
  return typeof text === 'string' ? new PayloadBody(parseJsonParameter('payload', text)) : refuseMissing();
}

/** `receive(@JsonPayload() payload: Json)`, on a route with `@TakesPayload()`. @throws DomainError REQUEST_VARIABLE_MISSING */
export const JsonPayload = createParamDecorator((_: unknown, context: ExecutionContext): Json => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  return body instanceof PayloadBody ? body.json : refuseMissing();
});

const refuseMissing = (): never => refuse('REQUEST_VARIABLE_MISSING', { var_name: 'payload' });
