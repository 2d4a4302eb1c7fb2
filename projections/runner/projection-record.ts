import type { Position } from '../../src/kernel/position.js';
import type { Projection } from '../projection.js';
import { ApplyFailed } from './generation.js';

export interface ProjectionError {
  readonly message: string;
  /** Of the event that could not be applied; null where it was not about one. */
  readonly position: Position | null;
  readonly eventId: string | null;
  readonly eventType: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A database of documents, and the version of the projection that filled it. */
export interface BuiltDatabase {
  readonly name: string;
  readonly version: number;
}

/** Documents that no query is begun on any more. */
export interface ReplacedDatabase {
  readonly name: string;
  /** Other processes may still be reading it until then; milliseconds since 1970. */
  readonly readUntil: number;
}

export type ProjectionState = 'running' | 'rebuilding' | 'failed';

/** What the registry keeps of a projection; it changes only by the transitions below. */
export interface ProjectionRecord {
  /** The projection's name. */
  readonly _id: string;
  readonly state: ProjectionState;
  /** What queries read, where it is of today's version; null until the first build is done. */
  readonly live: BuiltDatabase | null;
  /** What is being filled beside it. */
  readonly building: BuiltDatabase | null;
  /** What is there still, and is to be removed, by whoever keeps the documents; absent: nothing. */
  readonly replaced?: readonly ReplacedDatabase[];
  /** The newest generation that was begun; a number is never given twice. */
  readonly generation: number;
  /** Why it failed; kept through a rebuild until that has succeeded. */
  readonly error: ProjectionError | null;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  /** Of the lease of whoever keeps the documents; absent where there is only one process. */
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

/** @returns a record whose `building` is the database to fill */
export function buildBegun(record: ProjectionRecord, projection: Projection, at: number): ProjectionRecord {
  const generation = record.generation + 1;
  const name = databaseName(projection, generation);
  return { ...record, state: 'rebuilding', building: { name, version: projection.version }, generation, changedAt: at };
}

/** What was being built is what queries read from now on; what they read before may be read for a while. */
export const switched = (record: ProjectionRecord, at: number, readFor: number): ProjectionRecord => ({
  ...withReplaced(record, record.live ? [record.live.name] : [], at + readFor),
  state: 'running',
  live: record.building,
  building: null,
  error: null,
  changedAt: at,
});

/** The live documents are as they were; without any of today's version there is nothing to run. */
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
    changedAt: at,
  };
}

export const failed = (record: ProjectionRecord, error: ProjectionError, at: number): ProjectionRecord => ({
  ...record,
  state: record.building ? 'rebuilding' : 'failed',
  error,
  changedAt: at,
});

/** At start: from its checkpoint on, also where it failed before. */
export const resumed = (record: ProjectionRecord, at: number): ProjectionRecord => ({
  ...withoutBuild(record, at),
  state: 'running',
  error: null,
  changedAt: at,
});

/** Its live database is missing or unusable. */
export const lost = (record: ProjectionRecord, at: number): ProjectionRecord => ({
  ...withoutBuild(record, at),
  state: 'rebuilding',
  live: null,
  changedAt: at,
});

/** Nobody has read what was being built, and nobody goes on with it. */
export const withoutBuild = (record: ProjectionRecord, at: number): ProjectionRecord => ({
  ...withReplaced(record, record.building ? [record.building.name] : [], at),
  building: null,
});

/** More is to be removed. */
export function withReplaced(record: ProjectionRecord, names: readonly string[], readUntil: number): ProjectionRecord {
  const before = replacedIn(record);
  const more = names.filter((name) => !before.some((one) => one.name === name));
  if (more.length === 0) return record;
  return { ...record, replaced: [...before, ...more.map((name) => ({ name, readUntil }))] };
}

/** It has been removed. */
export const removed = (record: ProjectionRecord, name: string): ProjectionRecord => ({
  ...record,
  replaced: replacedIn(record).filter((one) => one.name !== name),
});

export const replacedIn = ({ replaced = [] }: ProjectionRecord): readonly ReplacedDatabase[] => replaced;

const databaseName = ({ name, version }: Projection, generation: number): string =>
  `${name}.v${version}.g${generation}`;

/** Whether a database is one of some projection's, whichever and whenever. */
export const isProjectionDatabase = (name: string): boolean => /\.v\d+\.g\d+$/.test(name);

/** Whether a database is one of this projection's, whenever it was. */
export const isDatabaseOf = ({ name }: Projection, database: string): boolean =>
  isProjectionDatabase(database) && database.replace(/\.v\d+\.g\d+$/, '') === name;

export function projectionError(error: unknown, at: number): ProjectionError {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApplyFailed)) return { message, position: null, eventId: null, eventType: null, at };
  const { position, id, type } = error.event;
  return { message, position, eventId: id, eventType: type, at };
}

/** For logs and operators. */
export const describe = ({ message, eventType, position }: ProjectionError): string =>
  eventType === null ? message : `${message} (${eventType} at position ${position})`;
