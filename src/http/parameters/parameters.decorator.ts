import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { edge } from '../edge-state.js';
import { mergeParameters } from './merge-parameters.js';
import type { ParameterBag } from './parameter-bag.js';
import { type ParametersClass, planOf } from './parameter-plan.js';

const read = createParamDecorator((type: ParametersClass, context: ExecutionContext): object => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const plan = planOf(type);
  request[edge].supported = plan.names;
  return plan.read(parametersOf(request));
});

/** Every parameters class by the method that takes it: what the OpenAPI document is made from. */
const documented = new WeakMap<object, Map<string, ParametersClass>>();

/**
 * The request's parameters, wherever they came in, as an instance of `type`, validated.
 *
 * `send(@Parameters(SendMessageParameters) parameters: SendMessageParameters)`
 */
export function Parameters<T extends object>(type: ParametersClass<T>): ParameterDecorator {
  return (prototype, method, index) => {
    read(type)(prototype, method, index);
    const methods = documented.get(prototype) ?? new Map<string, ParametersClass>();
    methods.set(String(method), type);
    documented.set(prototype, methods);
  };
}

export function parametersClassOf(prototype: object, method: string): ParametersClass | undefined {
  return documented.get(prototype)?.get(method);
}

/** @throws DomainError MALFORMED_REQUEST */
export function parametersOf(request: FastifyRequest): ParameterBag {
  const state = request[edge];
  state.parameters ??= mergeParameters(request.raw.url ?? '', request.body);
  return state.parameters;
}
