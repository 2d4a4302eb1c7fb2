import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { deviations } from '../../../src/app/description/deviations.js';
import { type PublishedOperation as Operation, ownError, shapes } from '../../../src/app/description/shapes.js';
import { describedByFeatures } from '../../../src/app/features.js';
import type { Description } from '../../../src/platform/http/openapi/described-api.js';
import { answerSchema } from '../../../src/platform/http/openapi/openapi-answers.js';
import type { Schema } from '../../../src/platform/http/openapi/schema.js';

export type { PublishedOperation as Operation } from '../../../src/app/description/shapes.js';

const { operations, errors, events } = shapes();

export const publishedOperations = [...operations.values()];

/** Names of published events: `type` or `type/op`. */
export const publishedEvents = [...events.keys()].filter(
  (name) => !deviations.some((one) => one.kind === 'event' && one.name === name),
);

const ajv = addFormats.default(new Ajv({ allErrors: true, allowUnionTypes: true }));
const compiled = new Map<string, ValidateFunction>();

/**
 * Checks a response against the published description (`src/app/description/shapes.ts`).
 * @param path below `/api/v1`, without its query string: `/messages/12`
 */
export function expectPublishedResponse(method: string, path: string, status: number, body: unknown): void {
  expectWords(body);
  const operation = find(method, path);
  if (status >= 400) expectPublishedError(operation, status, body);
  else if (operation !== 'unpublished') {
    if (!operation) throw new Error(`${method} ${path} succeeded, but no such operation is published`);
    const schema = operation.responses[status];
    const name = `${operation.method} ${operation.path} ${status}`;
    if (!schema) throw new Error(`${name} is no published answer`);
    check(name, schema, body);
    if (operation.path === '/events') for (const event of eventsOf(body)) expectPublishedEvent(event);
  }
}

let described: Promise<ReadonlyMap<string, Description>> | undefined;

/** Checks a successful answer of an operation that the published API does not have against its description, if it has one. */
export async function expectDescribedAnswer(method: string, path: string, body: unknown): Promise<void> {
  const unpublished = deviations.flatMap((one) => (one.kind === 'unpublished' ? [one.operation] : []));
  const name = unpublished.find((operation) => isOperation(operation, method, path));
  const isJson = typeof body === 'object' && body !== null && 'result' in body;
  if (name === undefined || !isJson) return;
  described ??= describedByFeatures({}).then((all) => new Map(all));
  const description = (await described).get(name);
  if (description?.answer) check(name, answerSchema(description), body);
}

/** Checks that an error is not without words. */
export function expectWords(body: unknown): void {
  const { result, msg } = (body ?? {}) as { result?: unknown; msg?: unknown };
  if (result !== 'error' || (typeof msg === 'string' && msg.trim() !== '')) return;
  throw new Error(`an error is answered without words: ${JSON.stringify(body)}`);
}

/** Checks that a client event has a published type, and that type's shape. */
export function expectPublishedEvent(event: unknown): void {
  const { type, op } = (event ?? {}) as { type?: string; op?: string };
  const name = op !== undefined && events.has(`${type}/${op}`) ? `${type}/${op}` : `${type}`;
  const schema = events.get(name);
  if (!schema) throw new Error(`no event ${name} is published: ${JSON.stringify(event)}`);
  check(`event ${name}`, schema, event);
}

/** Finds the shape of an error by its code: common errors are rarely listed with each operation. */
function expectPublishedError(operation: Operation | 'unpublished' | null, status: number, body: unknown): void {
  const { code } = (body ?? {}) as { code?: string };
  const known = errors.get(code ?? '');
  if (known) {
    const { statuses } = known;
    if (!statuses.includes(status)) throw new Error(`${code} is answered with ${status}, published: ${statuses}`);
    check(`error ${code}`, { anyOf: [...known.shapes, ...ownShapes(operation, status)] }, body, name(operation));
  } else check(`error ${code}`, ownError(code), body);
}

const name = (operation: Operation | 'unpublished' | null): string =>
  operation && operation !== 'unpublished' ? ` of ${operation.method} ${operation.path}` : '';

function ownShapes(operation: Operation | 'unpublished' | null, status: number): Schema[] {
  const shape = operation && operation !== 'unpublished' ? operation.responses[status] : undefined;
  return shape ? [shape] : [];
}

function check(title: string, schema: Schema, value: unknown, suffix = ''): void {
  const key = title + suffix;
  let validate = compiled.get(key);
  if (!validate) {
    validate = ajv.compile(schema);
    compiled.set(key, validate);
  }
  if (validate(value)) return;
  const reasons = (validate.errors ?? []).map(describe).join('\n  ');
  throw new Error(`not as published: ${key}\n  ${reasons}\n${JSON.stringify(value, null, 1)?.slice(0, 4000)}`);
}

function describe({ instancePath, message, params }: ErrorObject): string {
  const unknown = 'additionalProperty' in params ? `: ${params.additionalProperty}` : '';
  return `${instancePath || 'the whole'} ${message}${unknown}`;
}

function find(method: string, path: string): Operation | 'unpublished' | null {
  if (deviations.some((one) => one.kind === 'unpublished' && isOperation(one.operation, method, path)))
    return 'unpublished';
  const candidates = publishedOperations.filter((one) => one.method === method && matches(one.path, path));
  return candidates.find((one) => one.path === path) ?? candidates[0] ?? null;
}

function isOperation(operation: string, method: string, path: string): boolean {
  const [ofMethod, ofPath] = operation.split(' ');
  return ofMethod === method && matches(ofPath ?? '', path);
}

/** The fragment of a navigation view may hold slashes. */
const REST = '{fragment}';

function matches(template: string, path: string): boolean {
  const expected = template.split('/');
  const parts = path.split('/');
  const actual = expected.at(-1) === REST ? parts.slice(0, expected.length) : parts;
  return expected.length === actual.length && expected.every((part, i) => part.startsWith('{') || part === actual[i]);
}

function eventsOf(body: unknown): readonly unknown[] {
  return (body as { events?: readonly unknown[] }).events ?? [];
}
