import type { JsonObject } from '../../kernel/json.js';
import type { Row, SqliteConnection } from '../../sqlite/driver.js';
import {
  type EventText,
  type Misfiled,
  type StoredEvent,
  type StoredMetadata,
  UnreadableEvent,
} from '../event-store.js';
import { categoryIn } from './schema.js';

/** Events of up to a mebibyte that are in memory at once. Fewer cost more for each. */
const TEXTS_AT_ONCE = 64;

const ID_BYTES = 36;

/** An id of another length, which no append has, is left out. */
const TEXT = `concat('{"data":', e.data, ',"id":"', iif(octet_length(e.id) = ${ID_BYTES}, e.id, ''), '","metadata":', e.metadata,
  ',"revision":', e.revision, ',"stream":', json_quote(s.name), ',"type":', json_quote(k.type), ',"version":', e.version, '}')`;

/** All in one row: in rows of its own, a value costs as much as 100 bytes of it. JSON has no line feed without need. */
const TEXTS = `SELECT json_group_array(position), group_concat(text, char(10)) FROM (
  SELECT e.position, ${TEXT} AS text
  FROM events e CROSS JOIN streams s ON s.id = e.stream CROSS JOIN kinds k ON k.id = e.kind
  WHERE e.position > ? ORDER BY e.position LIMIT ?)`;

/** Follows a quote. Texts have few of its first letter, and so it is found soon. */
const METADATA = 'metadata":';

/** The next events as texts, put together by the engine. */
export function textsAfter(connection: SqliteConnection, after: number, limit: number): EventText[] {
  const [places, joined] = connection.prepare(TEXTS).get(after, Math.min(limit, TEXTS_AT_ONCE)) ?? [];
  const positions: number[] = JSON.parse(String(places));
  const texts = String(joined).split('\n');
  return positions.map((position, n) => ({
    position,
    text: texts.length === positions.length ? unambiguous(texts[n] ?? '') : null,
  }));
}

/**
 * A text in which data and metadata can be only what they are, or null: else parts of the one could have been moved to the
 * other. Between them, there is an id of a known length and without quotes, then the only name that ends so; behind them,
 * the other names.
 */
function unambiguous(text: string): string | null {
  const place = text.indexOf(METADATA);
  return text.indexOf(METADATA, place + 1) < 0 ? text : null;
}

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

/** The event of a damaged row: it has its place, and its data throw an UnreadableEvent. So it stops none of the others. */
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

const HAS_INDEX_ENTRY =
  'EXISTS (SELECT 1 FROM events INDEXED BY events_by_kind WHERE kind = e.kind AND position = e.position)';

const MISFILED = `
SELECT e.position, CASE
  WHEN s.id IS NULL THEN 'its stream has no name'
  WHEN k.id IS NULL THEN 'its kind has no name'
  WHEN k.category <> ${categoryIn('s.name')} THEN 'its kind is of streams ' || k.category
  ELSE 'the index of kinds lacks it' END
FROM events e LEFT JOIN streams s ON s.id = e.stream LEFT JOIN kinds k ON k.id = e.kind
WHERE e.position > ? AND e.position <= ?
  AND (s.id IS NULL OR k.id IS NULL OR k.category <> ${categoryIn('s.name')} OR NOT ${HAS_INDEX_ENTRY})
ORDER BY e.position LIMIT 1`;

/** Finds the first event that a reading by stream or type misses. */
export function misfiledIn(connection: SqliteConnection, after: number, until: number): Misfiled | null {
  const found = connection.prepare(MISFILED).get(after, until);
  return found ? { position: Number(found[0]), why: String(found[1]) } : null;
}
