import type { PlannedParameter } from '../parameters/parameter-plan.js';
import type { ParameterSchema } from '../parameters/parameter-rule.js';
import type { Example } from './described-api.js';
import type { Schema } from './schema.js';

/** Gives what a parameter is for; undefined: nobody has said it. */
type Words = (name: string) => string | undefined;

const SCALARS: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean']);

/** The member `example` of a description, if there is one. */
export const exampleOf = (example: unknown) => (example === undefined ? {} : { example });

/** Ids in paths that are no numbers. */
const TEXTUAL_IDS: ReadonlySet<string> = new Set(['file_id', 'key_id', 'device_id']);

/** The parameters in braces of a path. */
export function pathParameters(path: string, words: Words, examples: Example['path'] = {}) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path' as const,
    required: true,
    ...about(words(name)),
    schema: { type: name.endsWith('_id') && !TEXTUAL_IDS.has(name) ? 'integer' : 'string' },
    ...exampleOf(examples[name]),
  }));
}

export function headerParameter(name: string, words: Words) {
  return { name, in: 'header' as const, required: false, ...about(words(name)), schema: { type: 'string' } };
}

/**
 * Describes a parameter of the query string. Lists and objects are JSON text, which few generators of clients can write by
 * themselves: for them, it is a text that has JSON. Its format is our own: without one, generators take a text of a media
 * type for a file.
 */
export function queryParameter({ name, required, form, schema }: PlannedParameter, words: Words, example?: unknown) {
  const value = jsonSchema(schema);
  const isPlain = form.startsWith('text') || (typeof value.type === 'string' && SCALARS.has(value.type));
  const asText: Schema = {
    type: 'string',
    format: 'json-text',
    contentMediaType: 'application/json',
    contentSchema: value,
  };
  return {
    ...{ name, in: 'query' as const, required, ...about(words(name)), schema: isPlain ? value : asText },
    ...exampleOf(isPlain || example === undefined ? example : JSON.stringify(example)),
  };
}

/** The parameters of a form or a JSON body as one object. */
export function bodySchema(parameters: readonly PlannedParameter[], words: Words): Schema {
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      parameters.map(({ name, schema }) => [name, { ...jsonSchema(schema), ...about(words(name)) }]),
    ),
  };
}

/**
 * A JSON body. The server takes forms, too, which the description does not repeat: generators of clients that find several
 * forms of a body make methods that send all of them at once.
 *
 * @param schema of the body, or a reference to it
 */
export function requestBody(schema: Schema, parameters: readonly PlannedParameter[], example?: object) {
  const required = parameters.some((one) => one.required);
  return { required, content: { 'application/json': { schema, ...exampleOf(example) } } };
}

/** A body of any JSON object. */
export const payloadBody = (description: string, example: unknown) => ({
  required: true,
  content: {
    'application/json': { schema: { type: 'object', additionalProperties: true, description }, ...exampleOf(example) },
  },
});

/** A form that brings a file. @param fields what else the form may have. @param example shown if it has a file: text */
export function fileBody(description: string, { properties }: Schema, example?: Example['sent']) {
  const file: Schema = { type: 'string', format: 'binary', description };
  const schema: Schema = { type: 'object', required: ['file'], properties: { ...properties, file } };
  return {
    required: true,
    content: { 'multipart/form-data': { schema, ...(example?.file !== undefined && { example }) } },
  };
}

/** Parameters that may be null say so as OpenAPI 3.0 did. */
function jsonSchema({ nullable, items, ...schema }: ParameterSchema): Schema {
  const type = schema.type ?? typeOf(schema.enum);
  const own: Schema = { ...schema, ...(type && { type }), ...(items && { items: jsonSchema(items) }) };
  if (!nullable || own.type === undefined) return own;
  return { ...own, type: [String(own.type), 'null'], ...(own.enum && { enum: [...own.enum, null] }) };
}

/** The type of all the values, if they have one. */
function typeOf(values: readonly unknown[] | undefined): 'string' | 'integer' | 'boolean' | undefined {
  const types = new Set(values?.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)));
  const [type] = types;
  return types.size === 1 && (type === 'string' || type === 'integer' || type === 'boolean') ? type : undefined;
}

const about = (description: string | undefined) => (description === undefined ? {} : { description });
