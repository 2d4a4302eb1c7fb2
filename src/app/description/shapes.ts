import { readFileSync } from 'node:fs';
import { fileOfPackage } from '../../platform/files/file-of-package.js';
import type { Schema } from '../../platform/http/openapi/schema.js';
import { type Deviation, deviations } from './deviations.js';

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
 * The published API as this server answers it: shapes of answers, errors and client events, closed to other members. Specs
 * check every answer against them, and the OpenAPI document has them, so the two say the same.
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
  read ??= shapesBeside(deviations);
  return read;
}

/** @param own where this server differs */
export function shapesBeside(own: readonly Deviation[]): Shapes {
  return {
    operations: mapped<PublishedOperation>('operations', (operation) => ({
      ...operation,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, schema]) => [
          status,
          withProperties(own, `${operation.method} ${operation.path} ${status}`, schema),
        ]),
      ),
    })),
    errors: mapped<PublishedError>('errors', ({ statuses, shapes }, code) => ({
      statuses: [
        ...statuses,
        ...own.flatMap((one) => (one.kind === 'status' && one.code === code ? [one.status] : [])),
      ],
      shapes: shapes.map((shape) => withProperties(own, `error ${code}`, shape)),
    })),
    events: new Map([
      ...mapped<Schema>('events', (schema, name) => withProperties(own, `event ${name}`, schema)),
      ...own.flatMap((one) => (one.kind === 'event' ? [[one.name, one.schema] as const] : [])),
    ]),
  };
}

const OWN_ERROR: Schema = {
  type: 'object',
  properties: { result: { type: 'string', enum: ['error'] }, msg: { type: 'string' }, code: { type: 'string' } },
  required: ['code', 'msg', 'result'],
  additionalProperties: false,
};

/** The shape of an error whose code is not published. */
export const ownError = (code: string | undefined): Schema => withProperties(deviations, `error ${code}`, OWN_ERROR);

function mapped<Value>(file: string, change: (value: Value, name: string) => Value): ReadonlyMap<string, Value> {
  const text = readFileSync(fileOfPackage(`published/${file}.json`), 'utf8');
  const entries = Object.entries(JSON.parse(text) as Record<string, Value>);
  return new Map(entries.map(([name, value]) => [name, change(value, name)]));
}

const withProperties = (own: readonly Deviation[], of: string, schema: Schema): Schema =>
  own.reduce(
    (at, one) => (one.kind === 'property' && one.of === of ? withProperty(at, one.path, one.schema) : at),
    schema,
  );

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
