import { setPriority } from 'node:os';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { Fence } from '../../src/platform/cluster/fence.js';
import { openEngines } from '../../src/platform/engines/open-engines.js';
import type { EventRegistry } from '../../src/platform/log/event-codec.js';
import type { Projection } from '../../src/platform/read-models/projection.js';
import { type Build, rebuild } from './rebuild.js';
import type { BuildRequest, RebuildReport, RebuildRequest } from './rebuild-protocol.js';

/** Lets serving threads have the processor first. On Linux, `setPriority` sets the calling thread's priority alone. */
const NICE = 10;

const { engines: settings, projectionsModule, skipped, builds, yields } = workerData as RebuildRequest;

parentPort?.once('message', () => process.exit()).unref();

const report = (message: RebuildReport): void => parentPort?.postMessage(message);

if (yields && process.platform === 'linux') setPriority(NICE);
const { projections, eventRegistry } = (await import(pathToFileURL(projectionsModule).href)) as {
  readonly projections: readonly Projection[];
  readonly eventRegistry: EventRegistry;
};
const engines = await openEngines({ ...settings, readOnly: true });
try {
  const failures = await rebuild(
    { ...engines, eventRegistry, skipped },
    builds.map(known),
    (progress) => report({ kind: 'progress', progress }),
    (line) => report({ kind: 'warning', line }),
  );
  report({ kind: 'built', failures });
} finally {
  await engines.close();
}

function known({ projection: name, token, ...request }: BuildRequest): Build {
  const projection = projections.find((candidate) => candidate.name === name);
  if (!projection) throw new Error(`${projectionsModule} has no projection ${name}`);
  return { ...request, projection, fence: token === undefined ? undefined : new Fence(token) };
}
