// Derives test/schemas from a published OpenAPI 3.0 document: shapes only, no prose.
// usage: node scripts/derive-schemas.js <openapi.yaml>
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';

const OUT = new URL('../test/schemas/', import.meta.url);
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const [, , source] = process.argv;
if (!source) {
  console.error('usage: node scripts/derive-schemas.js <openapi.yaml>');
  process.exit(1);
}
const published = parse(readFileSync(source, 'utf8'), { maxAliasCount: -1 });

/** What a `$ref` stands for. */
function resolve(node) {
  if (!node.$ref) return node;
  const path = node.$ref.replace('#/', '').split('/');
  return resolve(path.reduce((at, key) => at[key], published));
}

/**
 * An OpenAPI 3.0 schema as JSON Schema: references inlined, `allOf` merged, `nullable` spelled out, and closed where
 * properties are listed, unless the document says what else may be there.
 */
function shape(schema) {
  return close(raw(schema));
}

/** The same before it is closed and nulls are allowed, so that it can be merged with its siblings in `allOf`. */
function raw(schema) {
  const node = resolve(schema);
  const own = keywords(node);
  const merged = merge((node.allOf ?? []).map(raw).reduce(merge, {}), own);
  return node.nullable ? { ...merged, nullable: true } : merged;
}

function keywords(node) {
  const kept = {};
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

/** What a `msg` says is for people, not part of its shape. */
function withoutWording(properties) {
  return properties.msg?.enum ? { ...properties, msg: { type: 'string' } } : properties;
}

/** Both schemas at once; where they differ on a detail, the second is the more exact. */
function merge(first, second) {
  const merged = { ...first, ...second };
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

/** Inside out: everything that lists its properties has no others. */
function close(node) {
  const closed = {};
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

function nullable(schema, node) {
  if (!node.nullable || Array.isArray(schema.type)) return schema;
  if (schema.anyOf) return { anyOf: [...schema.anyOf, { type: 'null' }] };
  if (!schema.type) return schema;
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(schema.enum && { enum: [...schema.enum, null] }),
  };
}

function unique(schemas) {
  return schemas.filter((schema, i) => schemas.findIndex((other) => isDeepStrictEqual(schema, other)) === i);
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

const isOk = (status) => status.startsWith('2');

const bodyOf = (response) => resolve(response).content?.['application/json']?.schema ?? {};

/** Every `code` that the document shows an error with, and the shape it is shown for. */
function collectErrors(status, schema, errors) {
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

/** From its examples: the schemas themselves say only that a code is a string. */
function codesOf(node) {
  const own = node.example?.code ? [node.example.code] : [];
  return [...own, ...(node.allOf ?? []).flatMap((part) => codesOf(resolve(part)))];
}

/** Event shapes by `type` or `type/op`. */
function eventShapes() {
  const choices = shape(published.components.schemas.get_events_200_response_allOf_events_inner).anyOf;
  const events = {};
  for (const choice of choices) {
    for (const type of choice.properties.type.enum) {
      for (const op of choice.properties.op?.enum ?? [null]) {
        const name = op === null ? type : `${type}/${op}`;
        events[name] = unique([...(events[name] ?? []), choice]);
      }
    }
  }
  return mapValues(sorted(events), (shapes) => (shapes.length === 1 ? shapes[0] : { anyOf: shapes }));
}

function sorted(object) {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function write(name, value) {
  writeFileSync(new URL(name, OUT), `${JSON.stringify(value, null, 1)}\n`);
}

rmSync(new URL('operations/', OUT), { recursive: true, force: true });
mkdirSync(new URL('operations/', OUT), { recursive: true });

const errors = {};
for (const [path, methods] of Object.entries(published.paths)) {
  for (const method of METHODS) {
    const operation = methods[method];
    if (!operation?.operationId) continue;
    const responses = {};
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!isOk(status)) collectErrors(status, bodyOf(response), errors);
      responses[status] = shape(bodyOf(response));
    }
    // Events are checked one by one, by their own shapes.
    if (operation.operationId === 'get-events') responses['200'].properties.events.items = {};
    write(`operations/${operation.operationId}.json`, { method: method.toUpperCase(), path, responses });
  }
}
write('errors.json', { default: shape(published.components.schemas.CodedError), codes: sorted(errors) });
write('events.json', eventShapes());
