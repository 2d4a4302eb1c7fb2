import {
  type DescribedApi,
  type DescribedOperation,
  type Description,
  operationKey,
  schemaName,
} from '../../platform/http/openapi/described-api.js';
import type { Schema } from '../../platform/http/openapi/schema.js';
import { describedByFeatures } from '../features.js';
import { edgeDescriptions } from './edge-descriptions.js';
import { examples } from './examples.js';
import { PARAMETERS } from './parameters.js';
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
