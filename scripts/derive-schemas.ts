// Derives published/ from a published OpenAPI 3.0 document: shapes only, no prose.
// usage: node scripts/run.js scripts/derive-schemas.ts <openapi.yaml>
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { ROOT } from './transpile.js';

/** The parts of OpenAPI and JSON Schema that are read here. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: readonly unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  allOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  nullable?: boolean;
  example?: { readonly code?: string };
}

interface Response {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json'?: { readonly schema?: Schema } };
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
}

interface Body {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Response>>;
}

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface ErrorShapes {
  readonly statuses: readonly number[];
  readonly shapes: readonly Schema[];
}

const OUT = join(ROOT, 'published');
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const [, , source] = process.argv;
if (!source) {
  console.error('usage: node scripts/run.js scripts/derive-schemas.ts <openapi.yaml>');
  process.exit(1);
}
const published: OpenApi = parse(readFileSync(source, 'utf8'), { maxAliasCount: -1 });

/** Resolves a `$ref`. */
function resolve<Node extends { readonly $ref?: string }>(node: Node): Node {
  if (!node.$ref) return node;
  const path = node.$ref.replace('#/', '').split('/');
  return resolve(path.reduce((at: unknown, key) => Reflect.get(Object(at), key), published) as Node);
}

/**
 * Converts an OpenAPI 3.0 schema to JSON Schema: inlines references, merges `allOf`, spells `nullable` out, and forbids
 * further properties, unless the document describes them.
 */
function shape(schema: Schema): Schema {
  return close(raw(schema));
}

/** Converts a schema without closing it or allowing null, so that it can be merged with siblings in `allOf`. */
function raw(schema: Schema): Schema {
  const node = resolve(schema);
  const own = keywords(node);
  const merged = merge((node.allOf ?? []).map(raw).reduce(merge, {}), own);
  return node.nullable ? { ...merged, nullable: true } : merged;
}

function keywords(node: Schema): Schema {
  const kept: Schema = {};
  if (node.type) kept.type = node.type;
  if (node.enum) kept.enum = node.enum;
  if (node.items) kept.items = raw(node.items);
  if (node.properties) kept.properties = withoutWording(mapValues(node.properties, raw));
  if (node.required) kept.required = node.required;
  if (typeof node.additionalProperties === 'object') kept.additionalProperties = raw(node.additionalProperties);
  else if (node.additionalProperties !== undefined) kept.additionalProperties = node.additionalProperties;
  const choices = node.oneOf ?? node.anyOf;
  if (choices) kept.anyOf = choices.map(raw);
  return kept;
}

/** Drops the texts of `msg`, which are for people. */
function withoutWording(properties: Record<string, Schema>): Record<string, Schema> {
  return properties.msg?.enum ? { ...properties, msg: { type: 'string' } } : properties;
}

/** Merges two schemas. The second wins where they differ. */
function merge(first: Schema, second: Schema): Schema {
  const merged: Schema = { ...first, ...second };
  if (first.properties && second.properties) {
    merged.properties = { ...first.properties };
    for (const [name, property] of Object.entries(second.properties)) {
      merged.properties[name] = merge(first.properties[name] ?? {}, property);
    }
  }
  if (first.required && second.required) merged.required = [...new Set([...first.required, ...second.required])];
  if (first.items && second.items) merged.items = merge(first.items, second.items);
  return merged;
}

/** Forbids further properties wherever properties are listed, from the inside out. */
function close(node: Schema): Schema {
  const closed: Schema = {};
  if (node.type) closed.type = node.type;
  if (node.enum) closed.enum = node.enum;
  if (node.items) closed.items = close(node.items);
  if (node.properties) closed.properties = mapValues(node.properties, close);
  if (node.required) closed.required = [...node.required].sort();
  if (node.anyOf) closed.anyOf = unique(node.anyOf.map(close));
  if (typeof node.additionalProperties === 'object') closed.additionalProperties = close(node.additionalProperties);
  else if (node.properties) closed.additionalProperties = node.additionalProperties === true;
  return nullable(closed, node);
}

function nullable(schema: Schema, node: Schema): Schema {
  if (!node.nullable || Array.isArray(schema.type)) return schema;
  if (schema.anyOf) return { anyOf: [...schema.anyOf, { type: 'null' }] };
  if (!schema.type) return schema;
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(schema.enum && { enum: [...schema.enum, null] }),
  };
}

function unique(schemas: readonly Schema[]): Schema[] {
  return schemas.filter((schema, i) => schemas.findIndex((other) => isDeepStrictEqual(schema, other)) === i);
}

function mapValues<From, To>(object: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

const isOk = (status: string): boolean => status.startsWith('2');

const bodyOf = (response: Response): Schema => resolve(response).content?.['application/json']?.schema ?? {};

/** Names of the parameters in the query and the body. Those of multipart forms have no names. */
function parametersOf({ parameters = [], requestBody }: Operation): readonly string[] {
  const asked = parameters.map(resolve).filter((one) => one.in === 'query');
  const form = requestBody && resolve(requestBody).content?.['application/x-www-form-urlencoded']?.schema;
  return [...asked.map(({ name }) => name), ...Object.keys(form ? (raw(form).properties ?? {}) : {})];
}

/** Lists every error `code` of the document with its shape. */
function collectErrors(status: string, schema: Schema, errors: Record<string, ErrorShapes>): void {
  const node = resolve(schema);
  const choices = node.oneOf ?? node.anyOf;
  if (choices) {
    for (const choice of choices) collectErrors(status, choice, errors);
    return;
  }
  for (const code of codesOf(node)) {
    const known = errors[code] ?? { statuses: [], shapes: [] };
    errors[code] = {
      statuses: [...new Set([...known.statuses, Number(status)])].sort(),
      shapes: unique([...known.shapes, shape(node)]),
    };
  }
}

/** Reads the code from the examples: the schemas say only that it is a string. */
function codesOf(node: Schema): string[] {
  const own = node.example?.code ? [node.example.code] : [];
  return [...own, ...(node.allOf ?? []).flatMap((part) => codesOf(resolve(part)))];
}

/** Collects event shapes by `type` or `type/op`. */
function eventShapes() {
  const choices = shape(published.components.schemas.get_events_200_response_allOf_events_inner ?? {}).anyOf ?? [];
  const events: Record<string, Schema[]> = {};
  for (const choice of choices) {
    for (const type of choice.properties?.type?.enum ?? []) {
      for (const op of choice.properties?.op?.enum ?? [null]) {
        const name = op === null ? `${type}` : `${type}/${op}`;
        events[name] = unique([...(events[name] ?? []), choice]);
      }
    }
  }
  return mapValues(sorted(events), (shapes) => (shapes.length === 1 ? shapes[0] : { anyOf: shapes }));
}

function sorted<Value>(object: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes a line for each entry. */
function write(name: string, entries: Readonly<Record<string, unknown>>): void {
  const lines = Object.entries(entries).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  writeFileSync(join(OUT, name), `{\n${lines.join(',\n')}\n}\n`);
}

const operations: Record<string, object> = {};
const errors: Record<string, ErrorShapes> = {};
for (const [path, methods] of Object.entries(published.paths)) {
  for (const method of METHODS) {
    const operation = methods[method];
    if (!operation?.operationId) continue;
    const responses: Record<string, Schema> = {};
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!isOk(status)) collectErrors(status, bodyOf(response), errors);
      responses[status] = shape(bodyOf(response));
    }
    // Each event is checked by its own shape.
    if (operation.operationId === 'get-events')
      Object.assign(responses['200']?.properties?.events ?? {}, { items: {} });
    const parameters = parametersOf(operation);
    const asked = { method: method.toUpperCase(), path, tag: operation.tags?.[0], parameters };
    operations[operation.operationId] = { ...asked, responses };
  }
}
write('operations.json', sorted(operations));
write('errors.json', sorted(errors));
write('events.json', eventShapes());
