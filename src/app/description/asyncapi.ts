import { readFileSync } from 'node:fs';
import { eventStreams } from '../../events/event-registry.js';
import { fileOfPackage } from '../../platform/files/file-of-package.js';
import { API_PREFIX } from '../../platform/http/api-prefix.js';
import { type Schema, text, whole } from '../../platform/http/openapi/schema.js';
import type { EventDefinition } from '../../platform/kernel/event-definition.js';
import type { JsonObject } from '../../platform/kernel/json.js';
import { sentEvents } from './described-api.js';
import { shapes } from './shapes.js';

const DESCRIPTION = `Two kinds of events.

**The log** has what happened, for ever. Its streams are channels here; \`annals log\`, \`annals audit\` and \`GET /audit/events\` show its
events, and in EventStoreDB other programs can follow them. A stream's name there begins with the server's prefix. The payload is of the
newest version of each type. \`x-sealed\` names the field with what people wrote: the log has it encrypted only, and it is null once its
key is destroyed. \`x-secrets\` names fields that no tool shows.

**Clients** are told of what concerns them by their event queues: \`POST /register\` makes a queue, and \`GET /events\` polls it.
\`openapi.json\` beside this document describes both.`;

/** Names an event queue as a channel. */
const QUEUE = 'eventQueue';

type Parts = Readonly<Record<string, object>>;

let made: object | undefined;

/** The events of the log and those of clients as AsyncAPI 3.0, made when somebody first asks for it. */
export function asyncApi(): object {
  made ??= documentOf(storedEventTypes(), sentEvents(shapes()));
  return made;
}

function documentOf(stored: StoredEventTypes, sent: readonly (readonly [name: string, schema: Schema])[]): object {
  const definitions = eventStreams.flatMap(({ events }) => events);
  const ofClients = sent.map(([name]) => name);
  return {
    asyncapi: '3.0.0',
    info: { title: 'Annals', version: '1', description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: {
      log: {
        host: 'log',
        protocol: 'eventstoredb',
        description: 'The log, in EventStoreDB or in a file of the server',
      },
      api: {
        host: '{host}',
        pathname: `/${API_PREFIX}`,
        protocol: 'https',
        variables: { host: { description: 'The host of the server, and its port' } },
        security: [{ $ref: '#/components/securitySchemes/basic' }],
      },
    },
    channels: {
      ...Object.fromEntries(
        eventStreams.map(({ name, about, events }) => [channelOf(name), stream(name, about, events)]),
      ),
      [QUEUE]: {
        address: 'events',
        description: 'What a client is told, in an event queue of its own. `id` is the place of an event in it',
        servers: [{ $ref: '#/servers/api' }],
        messages: refs('#/components/messages', ofClients),
      },
    },
    operations: {
      ...Object.fromEntries(eventStreams.flatMap(({ name }) => operationsOn(channelOf(name)))),
      tellClients: {
        action: 'send',
        channel: { $ref: `#/channels/${QUEUE}` },
        summary: 'Answers the polls of an event queue.',
        bindings: { http: { method: 'GET', query: QUERY } },
      },
    },
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'The email address of the account and its API key' },
      },
      messages: {
        ...Object.fromEntries(definitions.map((definition) => [definition.type, message(definition, stored)])),
        ...Object.fromEntries(
          ofClients.map((name) => [name, { name, payload: { $ref: `#/components/schemas/${name}` } }]),
        ),
      },
      schemas: {
        Metadata: stored.metadata,
        ...Object.fromEntries(Object.entries(stored.events).map(([type, { data }]) => [`${type}Data`, data])),
        ...Object.fromEntries(sent),
      },
    },
  };
}

const QUERY: Schema = {
  type: 'object',
  required: ['queue_id'],
  properties: {
    queue_id: { ...text, description: 'The queue, as `POST /register` names it' },
    last_event_id: { ...whole, description: 'The highest event id that the client has seen' },
  },
};

/** `message-{messageId}` is the channel `message`. */
const channelOf = (stream: string): string => stream.replace(/-\{\w+\}$/, '');

function stream(address: string, description: string, events: readonly EventDefinition[]): object {
  const parameters = [...address.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
    name,
    { description: 'A whole number' },
  ]);
  return {
    address,
    description,
    servers: [{ $ref: '#/servers/log' }],
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    messages: refs(
      '#/components/messages',
      events.map(({ type }) => type),
    ),
  };
}

/** The server appends to its streams, and follows them. */
function operationsOn(channel: string): readonly (readonly [name: string, operation: object])[] {
  const name = channel.charAt(0).toUpperCase() + channel.slice(1);
  const on = { channel: { $ref: `#/channels/${channel}` } };
  return [
    [`append${name}`, { action: 'send', ...on, summary: 'Appends what was decided.' }],
    [
      `follow${name}`,
      { action: 'receive', ...on, summary: 'Reads what was appended, for read models and consequences.' },
    ],
  ];
}

function message({ type, version, sealed, keys, secrets }: EventDefinition, { events }: StoredEventTypes): object {
  const { description, example } = events[type] ?? {};
  return {
    name: type,
    ...(description !== undefined && { description }),
    headers: { $ref: '#/components/schemas/Metadata' },
    payload: { $ref: `#/components/schemas/${type}Data` },
    ...(example && { examples: [{ payload: example }] }),
    'x-version': version,
    ...(sealed && { 'x-sealed': { ...sealed, shownTo: undefined } }),
    ...(keys && { 'x-keys': keys }),
    ...(secrets && { 'x-secrets': secrets }),
  };
}

const refs = (base: string, names: readonly string[]): Parts =>
  Object.fromEntries(names.map((name) => [name, { $ref: `${base}/${name}` }]));

/** What an event's type says, which a compiled program no longer has. */
interface StoredEventType {
  readonly description: string;
  readonly data: Schema;
  readonly example: JsonObject;
}

interface StoredEventTypes {
  readonly metadata: Schema;
  /** By type. */
  readonly events: Readonly<Record<string, StoredEventType>>;
}

/** Reads `published/stored-events.json`, which the spec of docs/events.md makes of the same values. */
const storedEventTypes = (): StoredEventTypes =>
  JSON.parse(readFileSync(fileOfPackage('published/stored-events.json'), 'utf8'));
