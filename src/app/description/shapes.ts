import { readFileSync } from 'node:fs';
import { fileOfPackage } from '../../platform/files/file-of-package.js';
import type { Schema } from '../../platform/http/openapi/schema.js';
import { deviations } from './deviations.js';

/** An operation of the published API. */
export interface PublishedOperation {
  readonly method: string;
  /** Below `/api/v1`, with names in braces. */
  readonly path: string;
  readonly tag: string;
  /** Names of those in the query and the body. */
  readonly parameters: readonly string[];
  /** By status. */
  readonly responses: Readonly<Record<string, Schema>>;
}

interface PublishedError {
  readonly statuses: readonly number[];
  readonly shapes: readonly Schema[];
}

/**
 * The published API as this server answers it: shapes of answers, errors and client events, closed to other members. Specs check
 * every answer against them, and the OpenAPI document has them, so the two say the same.
 */
export interface Shapes {
  /** By operation id: `send-message`. */
  readonly operations: ReadonlyMap<string, PublishedOperation>;
  /** By code. */
  readonly errors: ReadonlyMap<string, PublishedError>;
  /** By `type` or `type/op`. */
  readonly events: ReadonlyMap<string, Schema>;
}

let read: Shapes | undefined;

export function shapes(): Shapes {
  read ??= {
    operations: mapped<PublishedOperation>('operations', (operation) => ({
      ...operation,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, schema]) => [
          status,
          withDeviations(`${operation.method} ${operation.path} ${status}`, schema),
        ]),
      ),
    })),
    errors: mapped<PublishedError>('errors', ({ statuses, shapes }, code) => ({
      statuses: [
        ...statuses,
        ...deviations.flatMap((one) => (one.kind === 'status' && one.code === code ? [one.status] : [])),
      ],
      shapes: shapes.map((shape) => withDeviations(`error ${code}`, shape)),
    })),
    events: mapped<Schema>('events', (schema, name) => withDeviations(`event ${name}`, schema)),
  };
  return read;
}

const OWN_ERROR: Schema = {
  type: 'object',
  properties: { result: { type: 'string', enum: ['error'] }, msg: { type: 'string' }, code: { type: 'string' } },
  required: ['code', 'msg', 'result'],
  additionalProperties: false,
};

/** The shape of an error whose code is not published. */
export const ownError = (code: string | undefined): Schema => withDeviations(`error ${code}`, OWN_ERROR);

function mapped<Value>(file: string, change: (value: Value, name: string) => Value): ReadonlyMap<string, Value> {
  const text = readFileSync(fileOfPackage(`published/${file}.json`), 'utf8');
  const entries = Object.entries(JSON.parse(text) as Record<string, Value>);
  return new Map(entries.map(([name, value]) => [name, change(value, name)]));
}

function withDeviations(of: string, schema: Schema): Schema {
  const own = deviations.filter((one) => one.kind === 'property' && one.of === of);
  return own.reduce((at, one) => ('path' in one ? withProperty(at, one.path, one.schema) : at), schema);
}

/** @param path names from the schema down to the property; `*` steps into a list's items or a map's values */
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
