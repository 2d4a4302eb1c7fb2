import { resolve } from 'node:path';
import { ProjectionRunner } from '../../projections/runner/projection-runner.js';
import type { Config } from '../config/config.js';
import { readCredentials } from '../config/owner-credentials.js';
import { type RunningServer, startServer } from '../main.js';
import { BuildReport } from './build-report.js';
import { startControlServer } from './control-server.js';
import { complain } from './failure.js';
import { stopAsked } from './stop-signals.js';
import { welcome } from './welcome.js';

/** What takes less is not worth a line. */
const PATIENCE_MS = 1000;

/** Serves until it is told to stop. */
export async function runServer(config: Config): Promise<void> {
  const watch = new BuildWatch();
  let server: RunningServer;
  try {
    server = await startServer(config, { onBuilding: (runner) => watch.begin(runner) });
  } catch (error) {
    watch.end();
    if (error instanceof Error && ['debug', 'trace'].includes(config.logLevel)) complain(String(error.stack));
    throw error;
  }
  const stopped = stopAsked();
  const runner = server.app.get(ProjectionRunner);
  const control = await startControlServer(config.dataDirectory, {
    status: () => ({ url: server.url, pid: process.pid }),
    rebuild: (projections, onProgress) => runner.rebuild(projections ?? undefined, onProgress),
  });
  // A server that builds its documents listens, but has no answers yet.
  const ready = await Promise.race([runner.settled().then(() => true), stopped.then(() => false)]);
  watch.end();
  for (const { name, error } of runner.status()) if (error) complain(`projection ${name} has failed: ${error.message}`);
  if (ready) process.stdout.write(await greeting(server));

  await stopped;
  process.stdout.write('Stopping: answering what has been accepted …\n');
  await control.close();
  await server.close();
}

async function greeting({ url, bootstrap }: RunningServer): Promise<string> {
  const { credentialsFile, created, password } = bootstrap;
  const isFirst = created || password !== undefined;
  const credentials = isFirst ? await readCredentials(credentialsFile) : null;
  return welcome({ url, credentialsFile: resolve(credentialsFile), credentials, password });
}

/** Looks now and then how far the first build is, and shows it. */
class BuildWatch {
  private readonly report = new BuildReport(process.stdout, PATIENCE_MS);
  private timer: NodeJS.Timeout | undefined;

  begin(runner: ProjectionRunner): void {
    this.timer = setInterval(() => {
      const building = runner.status().find(({ progress }) => progress !== null);
      if (building?.progress) this.report.update(building.progress);
    }, 250).unref();
  }

  end(): void {
    clearInterval(this.timer);
    this.report.end();
  }
}
