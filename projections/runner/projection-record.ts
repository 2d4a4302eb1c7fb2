import type { Position } from '../../src/platform/kernel/position.js';
import { atRevision, UnreadableEvent } from '../../src/platform/log/event-store.js';
import type { Projection } from '../../src/platform/read-models/projection.js';
import { ApplyFailed } from './generation.js';

export interface ProjectionError {
  readonly message: string;
  /** Position of the event that could not be applied, or of the last one before; null if the error is not about an event. */
  readonly position: Position | null;
  readonly eventId: string | null;
  readonly eventType: string | null;
  /** Place of the event, as STREAM@REVISION, if it cannot be read: it can be passed over. */
  readonly unreadable?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A database of documents, and the version of the projection that filled it. */
interface BuiltDatabase {
  readonly name: string;
  readonly version: number;
}

/** Documents on which no new query begins. */
interface ReplacedDatabase {
  readonly name: string;
  /** Until then other processes may be reading it; milliseconds since 1970. */
  readonly readUntil: number;
}

export type ProjectionState = 'running' | 'rebuilding' | 'failed';

/** The registry's record of a projection. It changes only by the transitions below. */
export interface ProjectionRecord {
  /** The projection's name. */
  readonly _id: string;
  readonly state: ProjectionState;
  /** The documents that queries read, if they are of today's version; null until the first build is done. */
  readonly live: BuiltDatabase | null;
  /** The documents being filled beside the live ones. */
  readonly building: BuiltDatabase | null;
  /** Databases that the process which keeps the documents is to remove; absent: none. */
  readonly replaced?: readonly ReplacedDatabase[];
  /** Number of the newest build. A number is never given twice. */
  readonly generation: number;
  /** The failure, kept until a rebuild has succeeded. */
  readonly error: ProjectionError | null;
  /** Why the last build has failed, until another one begins; absent in records of earlier versions. */
  readonly buildError?: ProjectionError | null;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  /** Token of the lease on the documents; absent if there is only one process. */
  readonly token?: number;
}

export const unbuilt = ({ name }: Projection, at: number): ProjectionRecord => ({
  _id: name,
  state: 'rebuilding',
  live: null,
  building: null,
  generation: 0,
  error: null,
  changedAt: at,
});

/** @returns a record whose `building` is the database to fill. An unfinished one before it is to be removed. */
export function buildBegun(record: ProjectionRecord, projection: Projection, at: number): ProjectionRecord {
  const generation = record.generation + 1;
  const name = databaseName(projection, generation);
  const { version } = projection;
  return {
    ...withoutBuild(record, at),
    state: 'rebuilding',
    building: { name, version },
    generation,
    buildError: null,
    changedAt: at,
  };
}

/** This process goes on with the unfinished build. */
export const buildContinued = (record: ProjectionRecord, at: number): ProjectionRecord => ({
  ...record,
  state: 'rebuilding',
  changedAt: at,
});

/** Queries read the built documents from now on. The documents before may be read for a while. */
export const switched = (record: ProjectionRecord, at: number, readFor: number): ProjectionRecord => ({
  ...withReplaced(record, record.live ? [record.live.name] : [], at + readFor),
  state: 'running',
  live: record.building,
  building: null,
  error: null,
  changedAt: at,
});

/** Leaves the live documents as they were. Without documents of today's version the projection has failed. */
export function buildFailed(
  record: ProjectionRecord,
  projection: Projection,
  error: ProjectionError,
  at: number,
): ProjectionRecord {
  const stillRuns = record.error === null && record.live?.version === projection.version;
  return {
    ...withoutBuild(record, at),
    state: stillRuns ? 'running' : 'failed',
    error: stillRuns ? null : (record.error ?? error),
    buildError: error,
    changedAt: at,
  };
}

export const failed = (record: ProjectionRecord, error: ProjectionError, at: number): ProjectionRecord => ({
  ...record,
  state: record.building ? 'rebuilding' : 'failed',
  error,
  changedAt: at,
});

/** At start: the live documents follow the log from their checkpoint on, even after a failure. */
export const resumed = (record: ProjectionRecord, at: number): ProjectionRecord => ({
  ...record,
  state: record.building ? 'rebuilding' : 'running',
  error: null,
  changedAt: at,
});

/** The live database is missing or unusable. */
export const lost = (record: ProjectionRecord, at: number): ProjectionRecord => ({
  ...record,
  state: 'rebuilding',
  live: null,
  changedAt: at,
});

/** Gives up the unfinished build, which no query has read. */
export const withoutBuild = (record: ProjectionRecord, at: number): ProjectionRecord => ({
  ...withReplaced(record, record.building ? [record.building.name] : [], at),
  building: null,
});

/** Adds databases to be removed. */
export function withReplaced(record: ProjectionRecord, names: readonly string[], readUntil: number): ProjectionRecord {
  const before = replacedIn(record);
  const more = names.filter((name) => !before.some((one) => one.name === name));
  if (more.length === 0) return record;
  return { ...record, replaced: [...before, ...more.map((name) => ({ name, readUntil }))] };
}

/** A replaced database has been removed. */
export const removed = (record: ProjectionRecord, name: string): ProjectionRecord => ({
  ...record,
  replaced: replacedIn(record).filter((one) => one.name !== name),
});

export const replacedIn = ({ replaced = [] }: ProjectionRecord): readonly ReplacedDatabase[] => replaced;

const databaseName = ({ name, version }: Projection, generation: number): string =>
  `${name}.v${version}.g${generation}`;

/** Whether a database is any projection's, of any version. */
export const isProjectionDatabase = (name: string): boolean => /\.v\d+\.g\d+$/.test(name);

/** Whether a database is this projection's, of any version. */
export const isDatabaseOf = ({ name }: Projection, database: string): boolean =>
  isProjectionDatabase(database) && database.replace(/\.v\d+\.g\d+$/, '') === name;

export function projectionError(error: unknown, at: number): ProjectionError {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApplyFailed)) return { message, position: null, eventId: null, eventType: null, at };
  const { position, id, type } = error.event;
  const about = { message, position, eventId: id, eventType: type, at };
  return error.cause instanceof UnreadableEvent ? { ...about, unreadable: atRevision(error.cause.event) } : about;
}

/** For logs and operators. */
export function describe({ message, eventType, position, unreadable }: ProjectionError): string {
  if (unreadable !== undefined) return `${message}; --skip ${unreadable} passes it over`;
  return eventType === null ? message : `${message} (${eventType} at position ${position})`;
}
