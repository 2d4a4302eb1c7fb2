import { readdirSync, readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { type Deviation, deviations } from '../../schemas/deviations.js';

interface Schema {
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  /** Names of those in the query and the body. */
  readonly parameters: readonly string[];
  readonly responses: Readonly<Record<string, Schema>>;
}

interface Errors {
  readonly default: Schema;
  readonly codes: Readonly<
    Record<string, { readonly statuses: readonly number[]; readonly shapes: readonly Schema[] }>
  >;
}

const FOLDER = new URL('../../schemas/', import.meta.url);

export const publishedOperations = readdirSync(new URL('operations/', FOLDER)).map((file) =>
  read<Operation>(`operations/${file}`),
);
const errors = read<Errors>('errors.json');
const events = read<Record<string, Schema>>('events.json');

/** Names of published events: `type` or `type/op`. */
export const publishedEvents = Object.keys(events);

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
const compiled = new Map<string, ValidateFunction>();

/**
 * Checks a response against the published description (test/schemas, with its deviations).
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

/** Checks that an error is not without words. */
export function expectWords(body: unknown): void {
  const { result, msg } = (body ?? {}) as { result?: unknown; msg?: unknown };
  if (result !== 'error' || (typeof msg === 'string' && msg.trim() !== '')) return;
  throw new Error(`an error is answered without words: ${JSON.stringify(body)}`);
}

/** Checks that a client event has a published type, and that type's shape. */
export function expectPublishedEvent(event: unknown): void {
  const { type, op } = (event ?? {}) as { type?: string; op?: string };
  const name = op !== undefined && `${type}/${op}` in events ? `${type}/${op}` : `${type}`;
  const schema = events[name];
  if (!schema) throw new Error(`no event ${name} is published: ${JSON.stringify(event)}`);
  check(`event ${name}`, schema, event);
}

/** Finds the shape of an error by its code: common errors are rarely listed with each operation. */
function expectPublishedError(operation: Operation | 'unpublished' | null, status: number, body: unknown): void {
  const { code } = (body ?? {}) as { code?: string };
  const known = errors.codes[code ?? ''];
  if (known) {
    const statuses = [...known.statuses, ...deviations.flatMap((one) => statusOf(one, code))];
    if (!statuses.includes(status)) throw new Error(`${code} is answered with ${status}, published: ${statuses}`);
    check(`error ${code}`, { anyOf: [...known.shapes, ...ownShapes(operation, status)] }, body, name(operation));
  } else check(`error ${code}`, errors.default, body);
}

const name = (operation: Operation | 'unpublished' | null): string =>
  operation && operation !== 'unpublished' ? ` of ${operation.method} ${operation.path}` : '';

function ownShapes(operation: Operation | 'unpublished' | null, status: number): Schema[] {
  const shape = operation && operation !== 'unpublished' ? operation.responses[status] : undefined;
  return shape ? [shape] : [];
}

const statusOf = (deviation: Deviation, code: string | undefined): number[] =>
  deviation.kind === 'status' && deviation.code === code ? [deviation.status] : [];

function check(title: string, schema: Schema, value: unknown, suffix = ''): void {
  const key = title + suffix;
  let validate = compiled.get(key);
  if (!validate) {
    validate = ajv.compile(deviations.reduce((at, deviation) => withDeviation(title, at, deviation), schema));
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

function withDeviation(title: string, schema: Schema, deviation: Deviation): Schema {
  return deviation.kind === 'property' && deviation.of === title
    ? withProperty(schema, deviation.path, deviation.schema)
    : schema;
}

function withProperty(schema: Schema, [step, ...rest]: readonly string[], added: Schema): Schema {
  if (step === undefined) return added;
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map((one) => withProperty(one, [step, ...rest], added)) };
  if (step === '*' && schema.items) return { ...schema, items: withProperty(schema.items, rest, added) };
  if (step === '*' && typeof schema.additionalProperties === 'object') {
    return { ...schema, additionalProperties: withProperty(schema.additionalProperties, rest, added) };
  }
  if (!schema.properties) return schema;
  const below = withProperty(schema.properties[step] ?? {}, rest, added);
  return { ...schema, properties: { ...schema.properties, [step]: below } };
}

function find(method: string, path: string): Operation | 'unpublished' | null {
  const isThis = (operation: string): boolean => {
    const [ofMethod, ofPath] = operation.split(' ');
    return ofMethod === method && matches(ofPath ?? '', path);
  };
  if (deviations.some((one) => one.kind === 'unpublished' && isThis(one.operation))) return 'unpublished';
  const candidates = publishedOperations.filter((one) => one.method === method && matches(one.path, path));
  return candidates.find((one) => one.path === path) ?? candidates[0] ?? null;
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

function read<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as T;
}
