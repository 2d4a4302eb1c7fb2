import type { DomainEvent, Recorded } from './event.js';
import { type EventDefinition, type FileMeasure, UNMEASURED } from './event-definition.js';

/** The keys and files that go with content (D7). */
export interface EndedContent {
  readonly keyIds: readonly string[];
  readonly fileIds: readonly string[];
}

/** Tells whether the event's content has a key of its own. */
export const makesKey = ({ sealed }: EventDefinition): boolean => sealed?.under === 'own key';

/** Id of the key that the event makes; undefined: it makes none, or its payload does not name the key. */
export function ownKeyId(definition: EventDefinition, event: DomainEvent): string | undefined {
  return makesKey(definition) ? keyIds(definition, event, 'seals')[0] : undefined;
}

/** Tells whether events of the type end keys or files. */
export const endsContent = (definition: EventDefinition): boolean =>
  endsKeys(definition) || (definition.endsFiles ?? []).length > 0;

export const endsKeys = ({ keys = {} }: EventDefinition): boolean => Object.values(keys).includes('ends');

/** Tells whether events of the type name files or end them. */
export const hasFiles = ({ files = [], endsFiles = [] }: EventDefinition): boolean =>
  files.length > 0 || endsFiles.length > 0;

/** @throws TypeError for a payload without the ids that its definition names */
export function endedContent(definition: EventDefinition, event: DomainEvent): EndedContent {
  const { endsFiles = [] } = definition;
  return {
    keyIds: keyIds(definition, event, 'ends'),
    fileIds: endsFiles.flatMap((field) => (Reflect.get(event.data, field) === null ? [] : idIn(event, field))),
  };
}

/** The files that the event names as stored, with what it records of their bytes. */
export function namedFiles(
  definition: EventDefinition,
  event: Recorded,
): readonly (readonly [fileId: string, measure: FileMeasure])[] {
  const measures = definition.measures?.(event) ?? {};
  return (definition.files ?? []).flatMap((field) => {
    const fileId: unknown = Reflect.get(event.data, field);
    return typeof fileId === 'string' ? [[fileId, measures[field] ?? UNMEASURED] as const] : [];
  });
}

function keyIds({ keys = {} }: EventDefinition, event: DomainEvent, duty: 'seals' | 'ends'): string[] {
  return Object.keys(keys).flatMap((field) => (keys[field] === duty ? idIn(event, field) : []));
}

function idIn({ type, data }: DomainEvent, field: string): string {
  const id: unknown = Reflect.get(data, field);
  if (typeof id !== 'string') throw new TypeError(`${type} has no id in ${field}`);
  return id;
}
