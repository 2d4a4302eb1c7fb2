import type { Position } from '../../kernel/position.js';
import { ATTACHED, type SqliteConnection, withAttached } from '../../sqlite/driver.js';
import { damaged, type FileFormat, openForWriting } from '../../sqlite/file-format.js';
import { logIn, openLog, openLogForReading } from './log-file.js';
import { EVENTS_TABLE } from './schema.js';

/** The events of a log after a position, up to another one. */
export interface LogRange {
  readonly after: Position;
  readonly through: Position;
}

/** The log's tables without its indexes, which a restore makes anew. */
const PART_FORMAT: FileFormat = {
  what: 'part of a log',
  applicationId: 0x416e6c70,
  version: 1,
  schema: `
CREATE TABLE streams (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
) STRICT;
CREATE TABLE kinds (
  id INTEGER PRIMARY KEY,
  category TEXT NOT NULL,
  type TEXT NOT NULL
) STRICT;
${EVENTS_TABLE}`,
};

/** Whoever writes a part makes it durable as a whole. */
const UNSAFE = 'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;';
/** Events that are copied at once: a longer read would keep the log's writer from ending its write-ahead log. */
const AT_ONCE = 10_000;

type GoOn = (position: Position) => Promise<void>;

/** The position of the newest event of a log that a process may be writing. @throws WriterRefused */
export function logHead(directory: string): Position {
  const connection = openLogForReading(directory);
  try {
    return headOf(connection);
  } finally {
    connection.close();
  }
}

/** Writes events of a log, beside the process that writes it, into a new file. It is not durable yet. */
export async function writeLogPart(directory: string, path: string, range: LogRange, goOn: GoOn): Promise<void> {
  const part = openForWriting(path, PART_FORMAT, UNSAFE);
  try {
    await withAttached(part, logIn(directory), async () => {
      await copyEvents(part, range, goOn);
      for (const [table, column] of [
        ['streams', 'stream'],
        ['kinds', 'kind'],
      ]) {
        part.exec(
          `INSERT INTO main.${table} SELECT * FROM ${ATTACHED}.${table} WHERE id IN (SELECT DISTINCT ${column} FROM main.events)`,
        );
      }
    });
  } finally {
    part.close();
  }
}

/**
 * Adds the events of a part to the log in a directory, which no process has open. The first part makes the log.
 * @throws WriterRefused if the part does not follow what the log has
 */
export async function addLogPart(directory: string, path: string, range: LogRange, goOn: GoOn): Promise<void> {
  const log = openLog(directory);
  try {
    const head = headOf(log);
    if (head !== range.after)
      throw damaged(
        path,
        PART_FORMAT,
        `it begins after position ${range.after}, and the log before it ends at ${head}`,
      );
    await withAttached(log, path, async () => {
      for (const [table, fields] of [
        ['streams', '(id, name)'],
        ['kinds', '(id, category, type)'],
      ]) {
        log.exec(`INSERT OR IGNORE INTO main.${table} SELECT * FROM ${ATTACHED}.${table}`);
        const strange = `SELECT 1 FROM ${ATTACHED}.${table} WHERE ${fields} NOT IN (SELECT * FROM main.${table}) LIMIT 1`;
        if (log.prepare(strange).get())
          throw damaged(path, PART_FORMAT, `its ${table} are not those of the parts before`);
      }
      await copyEvents(log, range, goOn);
    });
  } finally {
    log.close();
  }
}

const headOf = (connection: SqliteConnection): Position =>
  Number(connection.prepare('SELECT ifnull(max(position), 0) FROM events').get()?.[0]);

async function copyEvents(connection: SqliteConnection, { after, through }: LogRange, goOn: GoOn): Promise<void> {
  const copy = connection.prepare(
    `INSERT INTO main.events SELECT * FROM ${ATTACHED}.events WHERE position > ? AND position <= ? ORDER BY position`,
  );
  for (let at = after; at < through; ) {
    const to = Math.min(at + AT_ONCE, through);
    const { changes } = connection.transaction(() => copy.run(at, to));
    if (changes !== to - at) throw new Error(`the log has no event at a position from ${at + 1} to ${to}`);
    at = to;
    await goOn(at);
  }
}
