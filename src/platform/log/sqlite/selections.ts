import type { Row, SqliteConnection, SqlValue } from '../../sqlite/driver.js';

/** The rows after `after` up to `until`, at most `limit`. */
interface Bounds {
  readonly after: number;
  readonly until: number;
  readonly limit: number;
}

/** One way to find the events of a page: a SELECT of their positions, in log order, that ends with a limit. */
export interface Selection {
  /** True if events are searched one by one: then a call covers at most `SEARCHED_AT_ONCE` positions. */
  readonly searches: boolean;
  readonly positions: string;
  readonly parameters: (after: number, until: number) => readonly SqlValue[];
}

export const SEARCHED_AT_ONCE = 20_000;
/** Most arms of one compound SELECT; SQLite takes 500. */
export const MOST_MERGED_KINDS = 400;
export const COLUMNS = 'e.position, s.name, e.revision, e.id, e.kind, e.version, e.data, e.metadata';

const RANGE = 'position > ? AND position <= ?';

export const EVERYTHING: Selection = {
  searches: false,
  positions: `SELECT position FROM events WHERE ${RANGE} ORDER BY position LIMIT ?`,
  parameters: (after, until) => [after, until],
};

/** Merges the kinds' index ranges, each in log order already, as far as the limit: SQLite reads no more of them. */
export function merging(kinds: readonly number[]): Selection {
  const arm = `SELECT position FROM events INDEXED BY events_by_kind WHERE kind = ? AND ${RANGE}`;
  return {
    searches: false,
    positions: `${kinds.map(() => arm).join(' UNION ALL ')} ORDER BY position LIMIT ?`,
    parameters: (after, until) => kinds.flatMap((kind) => [kind, after, until]),
  };
}

/** Searches the events of some kinds for streams that no index tells apart: those of one category. */
export function searching(kinds: readonly number[], prefixes: readonly string[] = []): Selection {
  const named = prefixes.map(() => 'substr(s.name, 1, length(?)) = ?').join(' OR ');
  const names = prefixes.flatMap((prefix) => [prefix, prefix]);
  return {
    searches: true,
    positions: `SELECT position FROM events e NOT INDEXED CROSS JOIN streams s ON s.id = e.stream
      WHERE ${RANGE} AND kind IN (SELECT value FROM json_each(?)) ${named && `AND (${named})`}
      ORDER BY position LIMIT ?`,
    parameters: (after, until) => [after, until, JSON.stringify(kinds), ...names],
  };
}

export function rowsOf(connection: SqliteConnection, selection: Selection, bounds: Bounds): readonly Row[] {
  const sql = `SELECT ${COLUMNS} FROM (${selection.positions}) m
    CROSS JOIN events e ON e.position = m.position CROSS JOIN streams s ON s.id = e.stream`;
  return (
    connection
      .prepare(sql)
      .all(...valuesOf(selection, bounds))
      // SQLite gives this order, but SQL promises it only with a second sort.
      .sort((a, b) => Number(a[0]) - Number(b[0]))
  );
}

/**
 * Finds the position of the row that brings a page's data to a size; undefined if all of them are smaller. SQLite takes
 * the size of a text from its row's header, without reading the text.
 */
export function whereLargerThan(
  connection: SqliteConnection,
  selection: Selection,
  bounds: Bounds,
  bytes: number,
): number | undefined {
  const values = valuesOf(selection, bounds);
  const sizes = `SELECT p.position, octet_length(d.data) AS bytes
    FROM (${selection.positions}) p CROSS JOIN events d ON d.position = p.position`;
  // A sum costs a tenth of the running totals, which few pages need.
  const sum = connection.prepare(`SELECT sum(bytes) FROM (${sizes})`).get(...values)?.[0];
  if (Number(sum ?? 0) < bytes) return undefined;
  const totals = `SELECT position, sum(bytes) OVER (ORDER BY position) AS through FROM (${sizes})`;
  return Number(
    connection.prepare(`SELECT min(position) FROM (${totals}) WHERE through >= ?`).get(...values, bytes)?.[0],
  );
}

const valuesOf = ({ parameters }: Selection, { after, until, limit }: Bounds): readonly SqlValue[] => [
  ...parameters(after, until),
  limit,
];
