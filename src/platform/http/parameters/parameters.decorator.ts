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
 * The request's parameters, from its query string and body, as a validated instance of the class that is the
 * argument's type: `send(@Parameters() parameters: SendMessageParameters)`
 */
export const Parameters = (): ParameterDecorator => (prototype, method, index) => {
  const types: readonly ParametersClass[] = Reflect.getMetadata('design:paramtypes', prototype, method ?? '');
  const type = types[index];
  if (!type) throw new TypeError(`an argument of ${String(method)} has no class of parameters`);
  read(type)(prototype, method, index);
  documented.set(`${prototype.constructor.name}.${String(method)}`, type);
};

export const parametersClasses: ReadonlyMap<string, ParametersClass> = documented;

export const parametersClassNamed = (name: string): ParametersClass | undefined => documented.get(name);

/** @throws DomainError MALFORMED_REQUEST */
export function parametersOf(request: FastifyRequest): ParameterBag {
  const state = request[edge];
  state.parameters ??= mergeParameters(request.raw.url ?? '', request.body);
  return state.parameters;
}
