import { resolve } from 'node:path';
import { ProjectionRunner } from '../../projections/runner/projection-runner.js';
import type { Config } from '../config/config.js';
import { readCredentials } from '../config/owner-credentials.js';
import { EVENT_STORE, type EventStore } from '../event-store/event-store.js';
import { type RunningServer, startServer } from '../main.js';
import { BuildReport } from './build-report.js';
import { startControlServer } from './control-server.js';
import { complain } from './failure.js';
import { ReadyWatch } from './ready-watch.js';
import { stopAsked } from './stop-signals.js';
import { welcome } from './welcome.js';

/** What takes less is not worth a line. */
const PATIENCE_MS = 1000;

/** Serves until it is told to stop. */
export async function runServer(config: Config): Promise<void> {
  const watch = new ReadyWatch(new BuildReport(process.stdout, PATIENCE_MS));
  let server: RunningServer;
  try {
    server = await startServer(config, { onBuilding: (runner) => watch.showBuilds(runner) });
  } catch (error) {
    watch.end();
    if (error instanceof Error && ['debug', 'trace'].includes(config.logLevel)) complain(String(error.stack));
    throw error;
  }
  try {
    await serve(config, server, watch);
  } finally {
    watch.end();
    await server.close();
  }
}

async function serve(config: Config, server: RunningServer, watch: ReadyWatch): Promise<void> {
  const stopped = stopAsked();
  const stopping = new AbortController();
  void stopped.then(() => stopping.abort());
  const runner = server.app.get(ProjectionRunner);
  const control = await startControlServer(config.dataDirectory, {
    status: () => ({ url: server.url, pid: process.pid }),
    rebuild: (projections, onProgress) => runner.rebuild(projections ?? undefined, onProgress),
  });
  try {
    // A server that builds its documents listens, but has no answers yet.
    await watch.ready(runner, await server.app.get<EventStore>(EVENT_STORE).head(), stopping.signal);
    for (const { name, error } of runner.status())
      if (error) complain(`projection ${name} has failed: ${error.message}`);
    if (!stopping.signal.aborted) process.stdout.write(await greeting(server));

    await stopped;
    process.stdout.write('Stopping: answering what has been accepted …\n');
  } finally {
    await control.close();
  }
}

async function greeting({ url, bootstrap }: RunningServer): Promise<string> {
  const { credentialsFile, created, password } = bootstrap;
  const isFirst = created || password !== undefined;
  const credentials = isFirst ? await readCredentials(credentialsFile) : null;
  return welcome({ url, credentialsFile: resolve(credentialsFile), credentials, password });
}
