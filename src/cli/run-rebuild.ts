import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { projections } from '../../projections/index.js';
import { ProjectionRunner } from '../../projections/runner/projection-runner.js';
import type { BuildProgress } from '../../projections/runner/rebuild-protocol.js';
import type { EngineSettings } from '../config/engine-settings.js';
import { openEngines } from '../config/open-engines.js';
import { EventCodec } from '../event-codec/event-codec.js';
import { askForRebuild } from '../roles/shared-rebuild.js';
import { threadEntry } from '../threads/thread-entry.js';
import { BuildReport, duration } from './build-report.js';
import { ask, connectToServer } from './control-client.js';
import { openOrganization } from './open-organization.js';

type OnProgress = (progress: BuildProgress) => void;

/**
 * By the server that runs on the data directory, or here where none does; by the processes that keep the documents, where
 * there are several.
 *
 * @param names null: every projection
 */
export async function runRebuild(settings: EngineSettings, names: readonly string[] | null): Promise<void> {
  const startedAt = performance.now();
  const report = new BuildReport(process.stdout);
  const server = settings.distributed ? null : await connectToServer(settings.dataDirectory);
  try {
    const onProgress: OnProgress = (progress) => report.update(progress);
    if (settings.distributed) await rebuildElsewhere(settings, names, onProgress);
    else if (server) await rebuildInServer(server, names, onProgress);
    else await rebuildHere(settings, names, onProgress);
  } finally {
    report.end();
  }
  const what = names ? names.join(', ') : 'all projections';
  process.stdout.write(`Rebuilt ${what} in ${duration((performance.now() - startedAt) / 1000)}.\n`);
}

async function rebuildInServer(server: Socket, names: readonly string[] | null, onProgress: OnProgress): Promise<void> {
  process.stdout.write('The running server rebuilds and keeps serving; it goes on if you leave here.\n');
  await ask(server, { request: 'rebuild', projections: names }, onProgress);
}

/** By the processes that keep the documents. */
async function rebuildElsewhere(
  settings: EngineSettings,
  names: readonly string[] | null,
  onProgress: OnProgress,
): Promise<void> {
  Logger.overrideLogger(false);
  const engines = await openOrganization({ ...settings, readOnly: true });
  try {
    process.stdout.write('The processes that keep the documents rebuild them; clients are served meanwhile.\n');
    await askForRebuild(engines, names ?? projections.map(({ name }) => name), onProgress);
  } finally {
    await engines.close();
  }
}

async function rebuildHere(
  settings: EngineSettings,
  names: readonly string[] | null,
  onProgress: OnProgress,
): Promise<void> {
  // What goes wrong comes back as an error.
  Logger.overrideLogger(false);
  const engines = await openEngines({ ...settings, mustExist: true });
  try {
    const { eventStore, documentStore, contentKeys } = engines;
    const runner = new ProjectionRunner({
      eventStore,
      documentStore,
      codec: new EventCodec(contentKeys),
      projections,
      rebuild: { engines: settings, projectionsModule: threadEntry('projections/index.js') },
    });
    await runner.start({ build: false });
    try {
      await runner.rebuild(names ?? undefined, onProgress);
    } finally {
      await runner.close();
    }
  } finally {
    await engines.close();
  }
}
