import type { FileFormat } from '../../sqlite/file-format.js';
import { EVENTS_FORMAT } from '../events-format.js';

/** Parts of backups have it, too. Files are refused whose text of it is another. */
export const EVENTS_TABLE = `CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  id TEXT NOT NULL,
  kind INTEGER NOT NULL,
  version INTEGER NOT NULL,
  data TEXT NOT NULL,
  metadata TEXT NOT NULL
) STRICT;
`;

/**
 * `kinds` pairs each stream category (see `categoryOf`) with each event type found in it. There are few of them, so a
 * filter on streams or types becomes a few ranges of one index, in which each commit touches only the ends.
 */
const SCHEMA = `
CREATE TABLE streams (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE kinds (
  id INTEGER PRIMARY KEY,
  category TEXT NOT NULL,
  type TEXT NOT NULL,
  UNIQUE (category, type)
) STRICT;
${EVENTS_TABLE}CREATE UNIQUE INDEX events_by_revision ON events (stream, revision);
CREATE UNIQUE INDEX events_by_id ON events (stream, id);
CREATE INDEX events_by_kind ON events (kind);
`;

/** The tables are as they always were: the number tells what the events may be. Until 0.6.0 it was 1. */
export const LOG_FORMAT: FileFormat = {
  what: 'log',
  applicationId: 0x416e6c73,
  version: EVENTS_FORMAT,
  schema: SCHEMA,
};

/** SQL of `categoryOf`. @param name an expression of the stream's name */
export const categoryIn = (name: string): string =>
  `iif(instr(${name}, '-') = 0, ${name}, substr(${name}, 1, instr(${name}, '-')))`;

/** Gives the part of a stream's name that it shares with its like: `user-` of `user-7`, all of `users`. */
export function categoryOf(stream: string): string {
  const dash = stream.indexOf('-');
  return dash === -1 ? stream : stream.slice(0, dash + 1);
}
