import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { edgeDescriptions } from '../../../src/app/description/described-api.js';
import { deviations } from '../../../src/app/description/deviations.js';
import { describedByFeatures } from '../../../src/app/features.js';
import { operationKey } from '../../../src/platform/http/openapi/described-api.js';
import type { Schema } from '../../../src/platform/http/openapi/schema.js';
import { Annals } from '../../support/servers/annals.js';

interface Described {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

describe('the OpenAPI document of the server', () => {
  let annals: Annals;
  let document: Document;
  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
    );
  const operation = (name: string) => operations().find((one) => one.name === name)?.operation;
  const inputsOf = ({ parameters, requestBody }: Described) => {
    const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => resolved(schema));
    const properties = bodies.flatMap((schema) => Object.entries(schema.properties ?? {}));
    return [...parameters, ...properties.map(([name, { description }]) => ({ name, description }))];
  };
  const resolved = (schema: Schema): Schema =>
    schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

  beforeAll(async () => {
    annals = await Annals.start();
    document = (await annals.api.get('/openapi.json')).body;
  });
  afterAll(() => annals.stop());

  it('is OpenAPI 3.1, whose schemas are JSON Schema and refer to schemas that are there', () => {
    expect(document.openapi).toBe('3.1.0');
    const ajv = new Ajv2020({ strict: false, formats: { binary: true, 'date-time': true } });
    ajv.addSchema({ $id: 'annals', ...document });
    for (const name of Object.keys(document.components.schemas))
      expect(() => ajv.compile({ $ref: `annals#/components/schemas/${name}` })).not.toThrow();
    const refs = [...JSON.stringify(document.paths).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(refs.filter((name = '') => !(name in document.components.schemas))).toEqual([]);
  });

  it('names each operation and each path once', () => {
    const ids = operations().map((one) => one.operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const paths = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('has the published shapes of answers and client events', () => {
    const { SendMessageAnswer, Event, MessageEvent, HeartbeatEvent, GetEventsAnswer } = document.components.schemas;
    expect(SendMessageAnswer).toMatchObject({ required: ['id', 'msg', 'result'], additionalProperties: false });
    expect(GetEventsAnswer?.properties?.events?.items).toEqual({ $ref: '#/components/schemas/Event' });
    expect(Event?.anyOf).toContainEqual({ $ref: '#/components/schemas/MessageEvent' });
    expect(MessageEvent?.properties).toHaveProperty('local_message_id');
    expect(HeartbeatEvent?.properties?.type).toMatchObject({ enum: ['heartbeat'] });
    expect(operation('POST /messages')?.operationId).toBe('send-message');
  });

  it('says which operations need a key, and that a send may have a key of its own', () => {
    const open = operations().flatMap(({ name, operation: { security } }) => (security?.length === 0 ? [name] : []));
    const withKeyInQuery = 'POST /external/{integration}';
    expect(open.sort()).toEqual([
      'DELETE /session',
      'GET /asyncapi.json',
      'GET /openapi.json',
      'GET /server_settings',
      withKeyInQuery,
      'POST /fetch_api_key',
      'POST /session',
    ]);
    expect(operation(withKeyInQuery)?.parameters).toContainEqual(
      expect.objectContaining({ name: 'api_key', in: 'query', required: true }),
    );
    expect(operation('POST /messages')?.parameters).toContainEqual(
      expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false }),
    );
  });

  it('describes lists of a query as a text that has JSON, and of a body as they are', () => {
    const narrow = operation('GET /messages')?.parameters.find(({ name }) => name === 'narrow');
    expect(narrow).toMatchObject({ schema: { type: 'string', contentMediaType: 'application/json' } });
    const { UpdateMessageFlagsParameters } = document.components.schemas;
    expect(UpdateMessageFlagsParameters?.properties?.messages).toMatchObject({ type: 'array' });
  });

  it('has a group and words for each operation, and words for all that an operation is given', () => {
    const lacking = operations().flatMap(({ name, operation }) => [
      ...(operation.summary && operation.tags?.length === 1 ? [] : [name]),
      ...inputsOf(operation).flatMap((one) => (one.description ? [] : [`${name}: ${one.name}`])),
    ]);
    expect([...new Set(lacking)]).toEqual([]);
  });

  it('has no words for an operation or a parameter that is not there', async () => {
    const all = operations().map(({ name, operation }) => [keyOf(name), operation] as const);
    const known = new Map(all);
    const lost = (await describedByFeatures(edgeDescriptions)).flatMap(([name, { parameters = {} }]) => {
      const operation = known.get(keyOf(name));
      if (!operation) return [name];
      const names = inputsOf(operation).map((one) => one.name);
      return Object.keys(parameters).flatMap((one) => (names.includes(one) ? [] : [`${name}: ${one}`]));
    });
    expect(lost).toEqual([]);
  });

  it('has the shape of each answer that the published API does not have', async () => {
    const described = new Map(await describedByFeatures(edgeDescriptions));
    const unpublished = deviations.flatMap((one) => (one.kind === 'unpublished' ? [one.operation] : []));
    const shapeless = unpublished.filter((name) => {
      const { answer, otherForms, redirects } = described.get(name) ?? {};
      return (answer ?? otherForms ?? redirects) === undefined;
    });
    expect(shapeless).toEqual([]);
  });
});

function keyOf(name: string): string {
  const [method = '', path = ''] = name.split(' ');
  return operationKey(method, path);
}
