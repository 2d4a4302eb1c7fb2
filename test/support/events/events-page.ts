import { eventStreams } from '../../../src/events/event-registry.js';
import { shownData } from '../../../src/events/shown-data.js';
import type { Schema } from '../../../src/platform/http/openapi/schema.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import type { EventDefinition } from '../../../src/platform/kernel/event-definition.js';
import type { Readers } from './event-readers.js';
import type { EventType } from './event-types.js';
import type { Writers } from './event-writers.js';

export interface KnownOfEvents {
  readonly types: ReadonlyMap<string, EventType>;
  readonly metadata: Schema;
  readonly examples: ReadonlyMap<string, Recorded>;
  readonly writers: ReadonlyMap<string, Writers>;
  readonly readers: ReadonlyMap<string, Readers>;
}

/** Writes docs/events.md. @throws Error if an event lacks its words, an example or a writer */
export function eventsPage(known: KnownOfEvents): string {
  const streams = eventStreams.map(
    ({ name, about, events }) =>
      `## \`${name}\`\n\n${about}.\n\n${events.map((definition) => section(definition, known)).join('\n')}`,
  );
  const count = eventStreams.flatMap(({ events }) => events).length;
  return `${head(count, eventStreams.length, known.metadata)}\n${streams.join('\n')}`;
}

function section(definition: EventDefinition, { types, examples, writers, readers }: KnownOfEvents): string {
  const { type, version } = definition;
  const { description = '', data = {} } = types.get(type) ?? {};
  const example = examples.get(type);
  const by = writtenBy(writers.get(type));
  if (description === '') throw new Error(`the type ${type} has no comment`);
  if (!example) throw new Error(`test/support/events/event-examples.ts has no ${type}`);
  if (by === '') throw new Error(`nobody appends ${type}`);
  const rows = fieldRows(data, definition);
  const table = rows.length > 0 ? `| field | | |\n|---|---|---|\n${rows.join('\n')}\n\n` : '';
  return `### ${type}

${description} Version ${version}.

${table}\`\`\`json
${JSON.stringify(shownData(example, true))}
\`\`\`

- Appended by: ${by}.
- Read by: ${readBy(readers.get(type))}.
`;
}

function writtenBy({ files, managers }: Writers = { files: new Map(), managers: [] }): string {
  const named = [...files].map(([name, path]) => `[${name}](../${path})`);
  return [...named, ...managers.map((name) => `process manager \`${name}\``)].join(', ');
}

function readBy(readers: Readers | undefined): string {
  if (!readers) return '';
  const named = (what: string, names: readonly string[]) => names.map((name) => `${what} \`${name}\``);
  const parts = [
    ...(readers.isOfDirectory ? ['the directory'] : []),
    ...named('read model', readers.readModels),
    ...named('process manager', readers.managers),
    ...named('reactor', readers.reactors),
    ...(readers.isOfErasure ? ['erasure'] : []),
    ...told(readers.told),
  ];
  return parts.length > 0 ? parts.join(', ') : 'no read model but the audit';
}

function told(kinds: readonly string[] | null): string[] {
  if (!kinds) return [];
  return kinds.length > 0
    ? [`clients, as ${kinds.map((kind) => `\`${kind}\``).join(', ')}`]
    : ['the feed of client events'];
}

function fieldRows({ properties = {}, required = [] }: Schema, definition: EventDefinition): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    row(name, schema, required.includes(name), dutyOf(name, definition)),
    ...innerRows(name, schema),
  ]);
}

function dutyOf(
  field: string,
  { sealed, keys = {}, secrets = [], files = [], endsFiles = [] }: EventDefinition,
): string {
  if (field === sealed?.field)
    return `Sealed under ${sealed.under === 'own key' ? "the event's own key" : 'an existing key'}.`;
  const duty = { seals: 'Key of the sealed field.', ends: 'The event destroys it.', names: '' };
  if (keys[field]) return duty[keys[field]];
  if (secrets.includes(field)) return 'No tool shows it.';
  if (endsFiles.includes(field)) return 'The event deletes the file.';
  return files.includes(field) ? 'A stored file.' : '';
}

/** Writes published/stored-events.json: an event a line. */
export function storedEvents({ types, metadata, examples }: KnownOfEvents): string {
  const lines = eventStreams
    .flatMap(({ events }) => events)
    .map(({ type }) => {
      const example = examples.get(type);
      return `${JSON.stringify(type)}: ${JSON.stringify({ ...types.get(type), ...(example && { example: shownData(example, true) }) })}`;
    });
  return `{"metadata": ${JSON.stringify(metadata)},\n"events": {\n${lines.join(',\n')}\n}}\n`;
}

/** The members of an object, by their path. Of one of several objects, the type says enough. */
function innerRows(path: string, { type, properties = {}, required = [], items }: Schema): string[] {
  if (items?.properties) return innerRows(`${path}[]`, items);
  if (![type].flat().includes('object')) return [];
  // Tables of permissions have dozens of members that are alike.
  const members = Object.entries(properties).filter(
    ([, schema]) => schema.description !== undefined || isShort(properties),
  );
  return members.flatMap(([name, schema]) => [
    row(`${path}.${name}`, schema, required.includes(name)),
    ...innerRows(`${path}.${name}`, schema),
  ]);
}

const isShort = (properties: object): boolean => Object.keys(properties).length <= 12;

function row(name: string, schema: Schema, isRequired: boolean, duty = ''): string {
  const words = [schema.description ?? '', duty].filter((part) => part !== '').join(' ');
  const cells = [`\`${name}\``, `${typeText(schema)}${isRequired ? '' : ', or absent'}`, words];
  return `| ${cells.map((cell) => cell.replaceAll('|', '|')).join(' | ')} |`;
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

function typeText({ type, enum: values, anyOf, items, properties, additionalProperties }: Schema): string {
  if (anyOf) return [...new Set(anyOf.map((one) => (one.properties ? shapeText(one) : typeText(one))))].join(' or ');
  if (values)
    return values.length <= 8
      ? values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
      : `one of ${values.length} names`;
  const all = [type].flat().flatMap((one) => {
    if (one === undefined) return [];
    if (one === 'array') return [`list of ${items ? typeText(items) : 'anything'}`];
    if (one === 'object' && !properties && typeof additionalProperties === 'object')
      return [`by name: ${typeText(additionalProperties)}`];
    return [WORDS[one] ?? one];
  });
  return all.length > 0 ? all.join(' or ') : 'anything';
}

/** `{type: "channel", channelId, topic}`. */
function shapeText({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(([name, { enum: values }]) => {
    const only = values?.length === 1 ? `: ${JSON.stringify(values[0])}` : '';
    return `${name}${required.includes(name) ? '' : '?'}${only}`;
  });
  return `\`{${members.join(', ')}}\``;
}

function head(events: number, streams: number, { properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) => row(name, schema, required.includes(name)));
  return `# Events

Made from the types and definitions in \`src/events\`, from what read models, process managers and reactors declare, and from the sources:
\`UPDATE_DOCS=1 npm test -- events-page\` writes this page, and the same spec fails when it is no longer true. The log itself is
described in [The log](log.md), how clients are told in [Client events](event-queues.md). A server has the same for programs, as AsyncAPI 3.0,
at \`GET /api/v1/asyncapi.json\`.

A log holds ${events} types of events in ${streams} kinds of streams. A name in braces is an id: \`message-{messageId}\` is \`message-7\` for
message 7. An event has a type, a version, data, and metadata, which are the same for every type:

| metadata | | |
|---|---|---|
${rows.join('\n')}

The data below are of the newest version; older ones are brought to it when they are read. All numbers are whole, and times are
milliseconds since 1970. A sealed field is in the log encrypted only, and null once its key is destroyed; the examples show it decrypted.
Hashes of passwords and keys are shown as \`(hash)\`.

Every event is also read by the audit, and is a leaf of the tree that proves the log. *Appended by* names the feature and its decision, or
the process manager; an event of a process manager follows from another event, which \`causationId\` names. *Clients, as* names the client
events that come of it.
`;
}
