import { join } from 'node:path';
import type { SqliteConnection } from '../../sqlite/driver.js';
import { damaged, openForReading, openForWriting } from '../../sqlite/file-format.js';
import { categoryIn, LOG_FORMAT } from './schema.js';

/** Settings of the writer. More pages in a checkpoint write the same page less often, and pause the log for longer. */
const SETTINGS = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA wal_autocheckpoint = 2000;
PRAGMA cache_size = -8192;
`;

const NEWEST_CHECKED = 200;

export const logIn = (directory: string): string => join(directory, 'log.sqlite');

/** @throws WriterRefused `damaged`, `newer-version` */
export function openLog(directory: string): SqliteConnection {
  const path = logIn(directory);
  return openForWriting(path, LOG_FORMAT, SETTINGS, (connection) => {
    const [oldest, newest] = connection.prepare('SELECT min(position), max(position) FROM events').get() ?? [];
    if (oldest !== null && oldest !== 1) throw damaged(path, LOG_FORMAT, `its events start at position ${oldest}`);
    const [kind] = connection.prepare(MISNAMED_KIND).get() ?? [];
    if (kind !== undefined) throw damaged(path, LOG_FORMAT, `the kind ${kind} does not fit the streams of its events`);
    const [unsound] = connection.prepare(UNSOUND).get(NEWEST_CHECKED) ?? [];
    if (unsound !== undefined) {
      throw damaged(path, LOG_FORMAT, `the event at position ${unsound}, of ${newest}, is not sound`);
    }
  });
}

/** @throws WriterRefused `missing`, `damaged`, `newer-version` */
export function openLogForReading(directory: string): SqliteConnection {
  return openForReading(logIn(directory), LOG_FORMAT);
}

/** Selects a kind of another category than the stream of its first or of its newest event. */
const MISNAMED_KIND = `
SELECT k.id FROM kinds k
JOIN events e ON e.position IN (
  (SELECT min(position) FROM events INDEXED BY events_by_kind WHERE kind = k.id),
  (SELECT max(position) FROM events INDEXED BY events_by_kind WHERE kind = k.id)
)
JOIN streams s ON s.id = e.stream
WHERE k.category <> ${categoryIn('s.name')}
LIMIT 1`;

/** Selects one of the newest events that lacks an event or index entry that belongs to it. */
const UNSOUND = `
SELECT e.position FROM (SELECT * FROM events ORDER BY position DESC LIMIT ?) e
WHERE (e.position > 1 AND NOT EXISTS (SELECT 1 FROM events WHERE position = e.position - 1))
  OR NOT EXISTS (SELECT 1 FROM streams WHERE id = e.stream)
  OR NOT EXISTS (
    SELECT 1 FROM kinds k JOIN streams s ON s.id = e.stream WHERE k.id = e.kind AND k.category = ${categoryIn('s.name')}
  )
  OR NOT EXISTS (
    SELECT 1 FROM events INDEXED BY events_by_revision
    WHERE stream = e.stream AND revision = e.revision AND position = e.position
  )
  OR NOT EXISTS (
    SELECT 1 FROM events INDEXED BY events_by_id WHERE stream = e.stream AND id = e.id AND position = e.position
  )
  OR NOT EXISTS (SELECT 1 FROM events INDEXED BY events_by_kind WHERE kind = e.kind AND position = e.position)
  OR (e.revision > 0 AND NOT EXISTS (
    SELECT 1 FROM events p WHERE p.stream = e.stream AND p.revision = e.revision - 1 AND p.position < e.position
  ))
LIMIT 1`;
