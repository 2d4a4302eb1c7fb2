import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { compiled } from '../../../scripts/transpile.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { eventually } from '../eventually.js';
import { withScratch } from '../scratch.js';
import { HALTING_AT } from './halting-projections.js';
import { type BuiltUser, builders, ENDLESS_AT, projections } from './interrupted-projections.js';
import { Roster, type RosterOptions, userCreated, userDeactivated } from './roster.js';

const PROCESS = compiled('test/support/projections/building-process.ts');
const PROJECTIONS = compiled('test/support/projections/interrupted-projections.ts');
const HALTING = compiled('test/support/projections/halting-projections.ts');

/** Events in a page of a build. */
export const PAGE = 2000;
const USERS = 3 * PAGE;
const EVENTS = [...Array.from({ length: USERS }, (_, index) => userCreated(index + 1)), userDeactivated(7)];

/** The databases of a first build. */
export const FIRST = ['roster.v1.g1', 'applications.v1.g1', 'builders.v1.g1'];

export const fileOf = (dataDirectory: string, database: string): string =>
  join(dataDirectory, 'documents', `${database}.sqlite`);

/** Runs `work` with a data directory whose log has three pages of events, and no documents. */
export const withLog = (work: (dataDirectory: string) => Promise<void>) => () =>
  withScratch(async (dataDirectory) => {
    const server = await opened(dataDirectory);
    await server.appendTogether(EVENTS);
    await server.close();
    await work(dataDirectory);
  });

/** Opens the directory in this process, without starting the projections. */
export const opened = (dataDirectory: string, options: Partial<RosterOptions> = {}): Promise<Roster> =>
  Roster.open({ dataDirectory, projections, projectionsModule: PROJECTIONS, ...options });

/** Opens the directory in this process. Resolves when all documents are built. */
export async function built(dataDirectory: string, options: Partial<RosterOptions> = {}): Promise<Roster> {
  const server = await opened(dataDirectory, options);
  await server.runner.start();
  await server.runner.settled();
  await server.caughtUp();
  return server;
}

export interface Killed {
  readonly dataDirectory: string;
  /** Id of the user at which the build does not go on. */
  readonly at: number;
  /** The databases that are being filled; default: the missing ones of all projections. */
  readonly databases?: readonly string[];
  /** Projections to rebuild, instead of the missing ones. */
  readonly rebuilt?: readonly string[];
}

/**
 * Starts a process that builds documents, and kills it when all events before the page of user `at` are in them.
 * @returns its pid
 */
export const killedBuilding = ({ dataDirectory, at, databases = FIRST, rebuilt = [] }: Killed): Promise<number> =>
  killedAfter(
    { dataDirectory, projectionsModule: PROJECTIONS, rebuilt, databases, checkpoint: at - (at % PAGE) },
    {
      [ENDLESS_AT]: String(at),
    },
  );

/** Rebuilds documents of the server in a process that is killed: `halted` is where the build does not go on. */
export const killedRebuilding = (
  dataDirectory: string,
  rebuilt: readonly string[],
  databases: readonly string[],
  { checkpoint, halted }: { readonly checkpoint: number; readonly halted: number },
): Promise<number> =>
  killedAfter(
    { dataDirectory, projectionsModule: HALTING, rebuilt, databases, checkpoint },
    {
      [HALTING_AT]: String(halted),
    },
  );

interface KilledAfter {
  readonly dataDirectory: string;
  readonly projectionsModule: string;
  readonly rebuilt: readonly string[];
  readonly databases: readonly string[];
  /** The process is killed when each of the databases has come as far. */
  readonly checkpoint: number;
}

async function killedAfter(
  { dataDirectory, projectionsModule, rebuilt, databases, checkpoint }: KilledAfter,
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const child = spawn(process.execPath, [PROCESS, dataDirectory, projectionsModule, ...rebuilt], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    await eventually(() => {
      for (const name of databases)
        expect(checkpointIn(fileOf(dataDirectory, name))).toBeGreaterThanOrEqual(checkpoint);
    });
  } finally {
    child.kill('SIGKILL');
  }
  expect(await ended).toEqual([null, 'SIGKILL']);
  return child.pid ?? 0;
}

/** Pids of the processes that applied the events, each with the number of events, in the order of the log. */
export async function appliedBy(server: Roster): Promise<[number, number][]> {
  const users = await server.runner
    .collection<BuiltUser>(builders, 'users')
    .find({}, { sort: { _id: 1 }, limit: USERS });
  const runs: [number, number][] = [];
  for (const { pid } of users) {
    const last = runs.at(-1);
    if (last?.[0] === pid) last[1]++;
    else runs.push([pid, 1]);
  }
  return runs;
}

export function checkpointIn(file: string): number {
  const connection = new SqliteConnection(file);
  try {
    const [row] = connection.prepare('SELECT position FROM checkpoint').all();
    return Number(row?.[0] ?? 0);
  } finally {
    connection.close();
  }
}
