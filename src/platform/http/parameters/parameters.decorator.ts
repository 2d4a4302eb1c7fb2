import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { edge } from '../edge-state.js';
import { mergeParameters } from './merge-parameters.js';
import type { ParameterBag } from './parameter-bag.js';
import { type ParametersClass, planOf, readParameters } from './parameter-plan.js';

const read = createParamDecorator((type: ParametersClass, context: ExecutionContext): object => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  request[edge].supported = planOf(type).names;
  return readParameters(type, parametersOf(request));
});

/** Every parameters class of a loaded controller by `Controller.method`, for the OpenAPI document. */
const documented = new Map<string, ParametersClass>();

/**
 * The request's parameters, from its query string and body, as a validated instance of `type`:
 * `send(@Parameters(SendMessageParameters) parameters: SendMessageParameters)`
 */
export function Parameters<T extends object>(type: ParametersClass<T>): ParameterDecorator {
  return (prototype, method, index) => {
    read(type)(prototype, method, index);
    documented.set(`${prototype.constructor.name}.${String(method)}`, type);
  };
}

export const parametersClasses: ReadonlyMap<string, ParametersClass> = documented;

export const parametersClassNamed = (name: string): ParametersClass | undefined => documented.get(name);

/** @throws DomainError MALFORMED_REQUEST */
export function parametersOf(request: FastifyRequest): ParameterBag {
  const state = request[edge];
  state.parameters ??= mergeParameters(request.raw.url ?? '', request.body);
  return state.parameters;
}
