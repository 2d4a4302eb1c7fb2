import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { eventRegistry } from '../../../src/events/event-registry.js';
import type { Schema } from '../../../src/platform/http/openapi/schema.js';
import { Annals } from '../../support/servers/annals.js';

interface Message {
  readonly payload: { readonly $ref: string };
  readonly headers?: { readonly $ref: string };
  readonly examples?: readonly { readonly payload: object }[];
}

interface Document {
  readonly asyncapi: string;
  readonly channels: Readonly<Record<string, { readonly address: string; readonly messages: object }>>;
  readonly operations: Readonly<
    Record<string, { readonly action: string; readonly channel: { readonly $ref: string } }>
  >;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

describe('the AsyncAPI document of the server', () => {
  let annals: Annals;
  let document: Document;
  beforeAll(async () => {
    annals = await Annals.start();
    const { status, body } = await annals.api.get('/asyncapi.json');
    expect(status).toBe(200);
    document = body;
  });
  afterAll(() => annals.stop());

  it('is valid AsyncAPI 3.0', () => {
    const schema = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0-without-$id.json');
    const ajv = addFormats.default(new Ajv({ strict: false, validateFormats: true }));
    const isValid = ajv.validate(schema, document);
    expect(ajv.errorsText()).toBe('No errors');
    expect(isValid).toBe(true);
  });

  it('refers to nothing that is not there', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    const found = (path: string) =>
      path.split('/').reduce<unknown>((inside, name) => Object(inside)[name], document) !== undefined;
    expect(refs.length).toBeGreaterThan(400);
    expect(refs.filter((path) => !found(path))).toEqual([]);
  });

  it('has each event of the log in the channel of its stream, with an example that its schema takes', () => {
    const { channels, components } = document;
    const inChannels = Object.entries(channels).flatMap(([name, { messages }]) =>
      name === 'eventQueue' ? [] : Object.keys(messages),
    );
    expect(inChannels.sort()).toEqual([...eventRegistry.keys()].sort());
    expect(channels.message).toMatchObject({ address: 'message-{messageId}', parameters: { messageId: {} } });
    expect(components.messages.MessageSent).toMatchObject({ 'x-version': 1, 'x-sealed': { field: 'content' } });
    const ajv = new Ajv2020({ allowUnionTypes: true });
    const failures = [...eventRegistry.keys()].flatMap((type) => {
      const [example] = components.messages[type]?.examples ?? [];
      return ajv.validate(components.schemas[`${type}Data`] ?? false, example?.payload) ? [] : [type];
    });
    expect(failures).toEqual([]);
  });

  it('has the events of clients in the channel of a queue', async () => {
    const { schemas } = (await annals.api.get('/openapi.json')).body.components;
    const messages = document.channels.eventQueue?.messages ?? {};
    expect(Object.keys(messages)).toEqual(
      schemas.Event.anyOf.map(({ $ref }: { readonly $ref: string }) => $ref.split('/').at(-1)),
    );
    expect(document.components.schemas.MessageEvent).toEqual(schemas.MessageEvent);
    expect(document.operations.tellClients).toMatchObject({ action: 'send' });
  });

  it('says of each stream that the server appends to it and follows it', () => {
    const { operations, channels } = document;
    const doing = (action: string) =>
      Object.values(operations).flatMap((one) => (one.action === action ? [one.channel.$ref.split('/').at(-1)] : []));
    expect(doing('send').sort()).toEqual(Object.keys(channels).sort());
    expect(doing('receive')).toHaveLength(Object.keys(channels).length - 1);
  });
});
