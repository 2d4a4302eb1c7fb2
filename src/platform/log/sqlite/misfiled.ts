import type { SqliteConnection } from '../../sqlite/driver.js';
import type { Misfiled } from '../event-store.js';
import { categoryIn } from './schema.js';

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
