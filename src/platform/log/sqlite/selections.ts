import type { Row, SqliteConnection } from '../../sqlite/driver.js';

/** One way to find the events of a page, in log order. */
export interface Selection {
  /** True if events are searched one by one: then a call covers at most `SEARCHED_AT_ONCE` positions. */
  readonly searches: boolean;
  /** Selects from the positions after `after` up to `until`. */
  rows(connection: SqliteConnection, after: number, until: number, limit: number): Row[];
}

export const COLUMNS = 'e.position, s.name, e.revision, e.id, e.kind, e.version, e.data, e.metadata';
export const SEARCHED_AT_ONCE = 20_000;
/** Most arms of one compound SELECT; SQLite takes 500. */
export const MOST_MERGED_KINDS = 400;

const RANGE = 'position > ? AND position <= ?';

export const NOTHING: Selection = { searches: false, rows: () => [] };

export const EVERYTHING: Selection = {
  searches: false,
  rows: (connection, after, until, limit) =>
    connection
      .prepare(
        `SELECT ${COLUMNS} FROM events e JOIN streams s ON s.id = e.stream WHERE ${RANGE} ORDER BY position LIMIT ?`,
      )
      .all(after, until, limit),
};

/** Merges the kinds' index ranges, each in log order already, as far as the limit: SQLite reads no more of them. */
export function merging(kinds: readonly number[]): Selection {
  const arm = `SELECT position FROM events INDEXED BY events_by_kind WHERE kind = ? AND ${RANGE}`;
  const merged = `${kinds.map(() => arm).join(' UNION ALL ')} ORDER BY position LIMIT ?`;
  const sql = `SELECT ${COLUMNS} FROM (${merged}) m
    CROSS JOIN events e ON e.position = m.position CROSS JOIN streams s ON s.id = e.stream`;
  return {
    searches: false,
    rows: (connection, after, until, limit) =>
      connection
        .prepare(sql)
        .all(...kinds.flatMap((kind) => [kind, after, until]), limit)
        // SQLite gives this order, but SQL promises it only with a second sort.
        .sort((a, b) => Number(a[0]) - Number(b[0])),
  };
}

/** Searches the events of some kinds for streams that no index tells apart: those of one category. */
export function searching(kinds: readonly number[], prefixes: readonly string[] = []): Selection {
  const named = prefixes.map(() => 'substr(s.name, 1, length(?)) = ?').join(' OR ');
  const sql = `SELECT ${COLUMNS} FROM events e NOT INDEXED CROSS JOIN streams s ON s.id = e.stream
    WHERE ${RANGE} AND kind IN (SELECT value FROM json_each(?)) ${named && `AND (${named})`} ORDER BY position LIMIT ?`;
  return {
    searches: true,
    rows: (connection, after, until, limit) =>
      connection
        .prepare(sql)
        .all(after, until, JSON.stringify(kinds), ...prefixes.flatMap((prefix) => [prefix, prefix]), limit),
  };
}
