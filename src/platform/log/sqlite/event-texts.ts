import type { SqliteConnection } from '../../sqlite/driver.js';
import type { EventText } from '../event-store.js';

/** Events of up to a mebibyte that are in memory at once. Fewer cost more for each. */
const TEXTS_AT_ONCE = 64;

export const ID_BYTES = 36;

/** An id of another length, which no append has, is left out. */
const TEXT = `concat('{"data":', e.data, ',"id":"', iif(octet_length(e.id) = ${ID_BYTES}, e.id, ''), '","metadata":', e.metadata,
  ',"revision":', e.revision, ',"stream":', json_quote(s.name), ',"type":', json_quote(k.type), ',"version":', e.version, '}')`;

/** All in one row: in rows of their own, each value costs as much as a hundred bytes of it. JSON has no line feed that need not be there. */
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
 * A text in which data and metadata can be only what they are, or null: else parts of the one could have been moved to the other.
 * Between them, there is an id of a known length and without quotes, then the only name that ends so; behind them, the other names.
 */
function unambiguous(text: string): string | null {
  const place = text.indexOf(METADATA);
  return text.indexOf(METADATA, place + 1) < 0 ? text : null;
}
