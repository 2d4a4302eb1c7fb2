import type { JsonObject } from '../../kernel/json.js';
import type { Row } from '../../sqlite/driver.js';
import type { StoredEvent, StoredMetadata } from '../event-store.js';
import { UnreadableEvent } from '../unreadable-event.js';
import { ID_BYTES } from './event-texts.js';

/** @throws Error if the column is not the JSON of an object */
export function parsedObject(column: string, text: unknown): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch (error) {
    throw new Error(`its ${column} are no JSON`, { cause: error });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new Error(`its ${column} are not the JSON of an object`);
}

/** The event of a row that is damaged: it has its place, and its data throw an UnreadableEvent. So it stops none of the others. */
export function damagedEvent(row: Row, type: string | undefined, reason: unknown): StoredEvent {
  const [position, stream, revision, id, kind, version, , metadata] = row;
  const event: StoredEvent = {
    id: String(id),
    stream: String(stream),
    revision: Number(revision),
    position: Number(position),
    type: type ?? `kind ${kind}`,
    version: Number(version),
    get data(): JsonObject {
      throw new UnreadableEvent(event, reason, textOf(row, event));
    },
    metadata: metadataIn(metadata),
  };
  return event;
}

/** The text that the engine would put together: see `textsAfter`. */
function textOf([, , , , , , data, metadata]: Row, { id, revision, stream, type, version }: StoredEvent): string {
  const [known, name, kind] = [id.length === ID_BYTES ? id : '', JSON.stringify(stream), JSON.stringify(type)];
  return `{"data":${data},"id":"${known}","metadata":${metadata},"revision":${revision},"stream":${name},"type":${kind},"version":${version}}`;
}

function metadataIn(text: unknown): StoredMetadata {
  try {
    return parsedObject('metadata', text) as unknown as StoredMetadata;
  } catch {
    return { actorId: null, client: '', at: 0, correlationId: '', causationId: null };
  }
}
