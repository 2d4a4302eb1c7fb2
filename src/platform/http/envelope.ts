import type { FastifyRequest } from 'fastify';
import { edge } from './edge-state.js';
import { unknownIn } from './parameters/parameter-plan.js';
import { parametersOf } from './parameters/parameters.decorator.js';

/** Adds `{result, msg}` to a handler's result, and the names of the parameters that the endpoint does not know. */
export function enveloped(request: FastifyRequest, returned: unknown): object {
  const envelope = { result: 'success', msg: '', ...(returned as object | undefined) };
  const ignored = unknownParameters(request);
  return ignored.length === 0 ? envelope : { ...envelope, ignored_parameters_unsupported: ignored };
}

/** Names of parameters that the endpoint does not know. Ids of the path, which clients repeat among them, are known. */
export function unknownParameters(request: FastifyRequest): string[] {
  const path = Object.keys(request.params ?? {});
  return unknownIn(parametersOf(request), { names: request[edge].supported }, path);
}
