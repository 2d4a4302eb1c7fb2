import type { FastifyRequest } from 'fastify';
import { edge } from './edge-state.js';
import type { ParameterBag } from './parameters/parameter-bag.js';
import { parametersOf } from './parameters/parameters.decorator.js';

/** Returned by a handler whose answer goes out as it is. */
export class WithoutEnvelope {
  constructor(readonly body: object) {}
}

/** `{result, msg}` around what a handler has returned, and the names of parameters that the endpoint does not know. */
export function enveloped(request: FastifyRequest, returned: unknown): object {
  if (returned instanceof WithoutEnvelope) return returned.body;
  const envelope = { result: 'success', msg: '', ...(returned as object | undefined) };
  const path = request.params as Record<string, string>;
  const ignored = ignoredNames(parametersOf(request), request[edge].supported, path);
  return ignored.length === 0 ? envelope : { ...envelope, ignored_parameters_unsupported: ignored };
}

/** Clients repeat the ids of the path among their parameters: those are known too. */
function ignoredNames(sent: ParameterBag, supported: ReadonlySet<string>, path: Record<string, string>): string[] {
  const ignored: string[] = [];
  for (const name of sent.keys()) {
    if (!supported.has(name) && !Object.hasOwn(path, name)) ignored.push(name);
  }
  return ignored;
}
