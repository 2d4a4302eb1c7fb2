import { readFileSync } from 'node:fs';
import { fileOfPackage } from '../../platform/files/file-of-package.js';
import {
  type DescribedApi,
  type DescribedOperation,
  type Description,
  type Descriptions,
  type Example,
  operationKey,
  schemaName,
} from '../../platform/http/openapi/described-api.js';
import type { Schema } from '../../platform/http/openapi/schema.js';
import { describedByFeatures } from '../features.js';
import { type PublishedOperation, type Shapes, shapes } from './shapes.js';
import { unsentEvents } from './unserved.js';

const EVENT = { $ref: '#/components/schemas/Event' };

/** All that the server knows of its operations: words from the features, shapes from the published API. */
export async function describedApi(): Promise<DescribedApi> {
  const known = shapes();
  const published = new Map<string, [string, PublishedOperation]>();
  for (const [id, operation] of known.operations) {
    const key = operationKey(operation.method, operation.path);
    if (!published.has(key)) published.set(key, [id, operation]);
  }
  const answered = new Map(
    Object.entries(examples()).map(([name, example]) => {
      const [method = '', path = ''] = name.split(' ');
      return [operationKey(method, path), example];
    }),
  );
  const words = new Map<string, Description>();
  for (const [name, description] of await describedByFeatures(edgeDescriptions)) {
    const [method = '', path = ''] = name.split(' ');
    words.set(operationKey(method, path), description);
  }
  return {
    operation: (method, path) => {
      const key = operationKey(method, path);
      const example = answered.get(key);
      return { ...words.get(key), ...publishedAs(published.get(key)), ...(example && { example }) };
    },
    parameters: PARAMETERS,
    schemas: eventSchemas(known),
    errorMembers: errorMembers(known),
  };
}

function publishedAs(operation: [string, PublishedOperation] | undefined): DescribedOperation {
  if (!operation) return {};
  const [id, { tag, responses }] = operation;
  const answer = responses['200'];
  return {
    id,
    tag,
    ...(answer && { published: id === 'get-events' ? withEvents(answer) : answer }),
    failures: Object.keys(responses).filter((status) => !status.startsWith('2')),
  };
}

const withEvents = (answer: Schema): Schema => ({
  ...answer,
  properties: { ...answer.properties, events: { type: 'array', items: EVENT } },
});

/** A schema for each kind of client event that is sent. */
export const sentEvents = ({ events }: Shapes): readonly (readonly [name: string, schema: Schema])[] =>
  [...events].flatMap(([name, schema]) => (name in unsentEvents ? [] : [[`${schemaName(name)}Event`, schema]]));

/** A schema for each kind of client event that is sent, and one for any of them. */
function eventSchemas(shapes: Shapes): Record<string, Schema> {
  const named = sentEvents(shapes);
  const any = named.map(([name]) => ({ $ref: `#/components/schemas/${name}` }));
  return { ...Object.fromEntries(named), Event: { anyOf: any } };
}

const COMMON: ReadonlySet<string> = new Set(['result', 'msg', 'code']);

/** What errors of some codes have besides the code. Codes that give a member different shapes leave it open. */
function errorMembers({ errors }: Shapes): Record<string, Schema> {
  const members = new Map<string, { readonly schema: Schema; readonly codes: Set<string> }>();
  for (const [code, { shapes: all }] of errors)
    for (const [name, schema] of all.flatMap(({ properties = {} }) => Object.entries(properties))) {
      if (COMMON.has(name)) continue;
      const known = members.get(name);
      const isSame = !known || JSON.stringify(known.schema) === JSON.stringify(schema);
      members.set(name, { schema: isSame ? schema : {}, codes: (known?.codes ?? new Set()).add(code) });
    }
  return Object.fromEntries(
    [...members].map(([name, { schema, codes }]) => [name, { ...schema, description: `Of ${[...codes].join(', ')}` }]),
  );
}

/** Reads the examples, which `UPDATE_DOCS=1 npm test -- examples` records: by `METHOD /path`. */
export const examples = (): Readonly<Record<string, Example>> =>
  JSON.parse(readFileSync(fileOfPackage('published/examples.json'), 'utf8'));

/** Operations of the edge itself, which belong to no feature. */
export const edgeDescriptions: Descriptions = {
  'GET /openapi.json': {
    id: 'get-openapi',
    tag: 'server_and_organizations',
    summary: 'Get this description of the API.',
    otherForms: { 'application/json': 'An OpenAPI 3.1 document' },
  },
  'GET /asyncapi.json': {
    id: 'get-asyncapi',
    tag: 'server_and_organizations',
    summary: 'Get a description of the events of the log, and of those that clients get.',
    otherForms: { 'application/json': 'An AsyncAPI 3.0 document' },
  },
};

/** Parameters that mean the same wherever they occur. An operation's own words come first. */
const PARAMETERS: Readonly<Record<string, string>> = {
  'Idempotency-Key':
    'Makes the send happen once however often it is repeated, at any time: the repeat gets the id of the first message. 1 to 255 characters that no other send of the account has. With another `to` or `content`, the key is refused',
  allow_empty_topic_name:
    'Whether the topic without a name is shown as the empty text; false: by its display name, for clients that do not know it',
  anchor: 'The id of a message, which need not be there, or `newest`, `oldest` or `first_unread`',
  client_gravatar:
    'Whether `avatar_url` may be null, for a client that makes the address of a Gravatar from the email address by itself',
  include_anchor:
    'Whether the message of the anchor belongs to the range. Only at an end of the range it may be left out',
  message_id: 'The id of the message',
  narrow:
    'Conditions that all must hold: a list of `{"operator", "operand", "negated"}`, up to 100. Operators are `channel`, `topic`, `dm`, `dm-including`, `sender`, `id`, `has`, `is`, `in`, `search` and others of the published API. `[]`: all messages',
  queue_id: '`queue_id` of `POST /register`',
  stream_id: 'The id of the channel',
  topic: 'The topic',
  topic_name: 'The topic, in any case; empty: the topic without a name',
  user_id: 'The id of the account',
};
