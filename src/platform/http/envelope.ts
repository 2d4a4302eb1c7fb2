import type { FastifyRequest } from 'fastify';
import { edge } from './edge-state.js';
import type { ParameterBag } from './parameters/parameter-bag.js';
import { parametersOf } from './parameters/parameters.decorator.js';

/** The result of a handler whose answer is sent without the envelope. */
export class WithoutEnvelope {
  constructor(readonly body: object) {}
}

/** Adds `{result, msg}` to a handler's result, and the names of the parameters that the endpoint does not know. */
export function enveloped(request: FastifyRequest, returned: unknown): object {
  if (returned instanceof WithoutEnvelope) return returned.body;
  const envelope = { result: 'success', msg: '', ...(returned as object | undefined) };
  const path = request.params as Record<string, string>;
  const ignored = ignoredNames(parametersOf(request), request[edge].supported, path);
  return ignored.length === 0 ? envelope : { ...envelope, ignored_parameters_unsupported: ignored };
}

/** Names of unknown parameters that have a value. Ids of the path, which clients repeat among the parameters, are known. */
function ignoredNames(sent: ParameterBag, supported: ReadonlySet<string>, path: Record<string, string>): string[] {
  const ignored: string[] = [];
  for (const [name, value] of sent) {
    if (value !== null && !supported.has(name) && !Object.hasOwn(path, name)) ignored.push(name);
  }
  return ignored;
}
