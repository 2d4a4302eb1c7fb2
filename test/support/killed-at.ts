import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundled } from '../../scripts/bundle.js';
import { Annals } from './annals.js';
import { Api } from './api.js';
import { ownEngines } from './own-engines.js';
import { RunningServer } from './running-server.js';

const FAULTY = bundled('test/support/faulty-server.ts');

/** A server, with a client of its owner. */
export interface Side {
  readonly api: Api;
  readonly dataDirectory: string;
  kill(): Promise<void>;
}

/** Steps around the death of a server. */
export interface Killing<Prepared> {
  /** Runs before the server may die. */
  prepare(side: Side): Promise<Prepared>;
  /** Ends with the server dead. */
  work(side: Side, prepared: Prepared): Promise<unknown>;
  /** Checks the files of the dead server. */
  left?(side: Side, prepared: Prepared): Promise<unknown>;
  /** Checks a new server, in this process, on the files of the dead one. */
  check(side: Side, prepared: Prepared): Promise<unknown>;
  /** Checks the files after the new server has stopped. */
  stopped?(side: Side, prepared: Prepared): Promise<unknown>;
}

/**
 * @param point where a server process kills itself: see `faulty-server.ts`
 * @param settings of both servers
 */
export async function killedAt<Prepared>(
  point: string,
  killing: Killing<Prepared>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const engines = await ownEngines();
  const { dataDirectory, environment } = engines;
  let annals: Annals | undefined;
  try {
    const faulty = await RunningServer.start(
      dataDirectory,
      { ...settings, ...environment },
      { file: FAULTY, args: [point] },
    );
    await faulty.caughtUp();
    const side = { api: new Api(await faulty.owner()), dataDirectory, kill: () => faulty.kill() };
    const prepared = await killing.prepare(side);
    await writeFile(join(dataDirectory, 'armed'), '');
    await killing.work(side, prepared);
    await faulty.ended();
    await rm(join(dataDirectory, 'armed'));
    await killing.left?.(side, prepared);
    annals = await Annals.on(engines, settings);
    await killing.check({ ...side, api: await annals.ownerApi() }, prepared);
    await annals.close();
    await killing.stopped?.(side, prepared);
  } finally {
    await annals?.close();
    await engines.remove();
  }
}
