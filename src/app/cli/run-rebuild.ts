import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { projections } from '../../../projections/index.js';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';
import { eventRegistry } from '../../events/event-registry.js';
import type { EngineSettings } from '../../platform/engines/engine-settings.js';
import { openEngines } from '../../platform/engines/open-engines.js';
import { EventCodec } from '../../platform/log/event-codec.js';
import { newProjectionRunner } from '../roles/projection-runner.js';
import { askForRebuild } from '../roles/shared-rebuild.js';
import { BuildReport, duration } from './build-report.js';
import { ask, connectToServer } from './control-client.js';
import { openOrganization } from './open-organization.js';

type OnProgress = (progress: BuildProgress) => void;

/**
 * Rebuilds projections through the server that runs on the data directory, or here if none does; on shared engines,
 * through the processes that keep the documents.
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
  process.stdout.write('The running server rebuilds and keeps serving. It goes on if you stop this command.\n');
  await ask(server, { request: 'rebuild', projections: names }, onProgress);
}

/** Rebuilds through the processes that keep the documents. */
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
  // Failures come back as errors.
  Logger.overrideLogger(false);
  const engines = await openEngines({ ...settings, mustExist: true });
  try {
    const runner = newProjectionRunner({
      engines,
      settings,
      codec: new EventCodec(engines.contentKeys, eventRegistry),
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
