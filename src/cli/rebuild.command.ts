import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { Command } from 'commander';
import { projections } from '../../projections/index.js';
import { ProjectionRunner } from '../../projections/runner/projection-runner.js';
import type { BuildProgress } from '../../projections/runner/rebuild-protocol.js';
import { readConfig } from '../config/config.js';
import { openEngines } from '../config/open-engines.js';
import { EventCodec } from '../event-codec/event-codec.js';
import { threadEntry } from '../threads/thread-entry.js';
import { BuildReport, duration } from './build-report.js';
import { ask, connectToServer } from './control-client.js';
import { UsageError } from './failure.js';
import { addSettings, flagValues } from './setting-options.js';

type OnProgress = (progress: BuildProgress) => void;

export function rebuildCommand(): Command {
  const command = new Command('rebuild')
    .description(
      'Build the documents anew from the log. A running server does it itself and keeps serving; without one it is done here.',
    )
    .option('--projection <name>', 'only this one; may be given several times', collect)
    .addHelpText('after', `\nProjections: ${projections.map(({ name }) => name).join(', ')}`)
    .action(({ projection }: { projection?: string[] }) => {
      checkNames(projection ?? []);
      return rebuild(readConfig('rebuild', flagValues(command, 'rebuild')).dataDirectory, projection ?? null);
    });
  return addSettings(command, 'rebuild');
}

const collect = (name: string, names: string[] = []): string[] => [...names, name];

function checkNames(names: readonly string[]): void {
  const known = projections.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(`there is no projection ${unknown.join(', ')}: there are ${known.join(', ')}`);
  }
}

async function rebuild(dataDirectory: string, names: readonly string[] | null): Promise<void> {
  const startedAt = performance.now();
  const report = new BuildReport(process.stdout);
  const server = await connectToServer(dataDirectory);
  try {
    const onProgress: OnProgress = (progress) => report.update(progress);
    if (server) await rebuildInServer(server, names, onProgress);
    else await rebuildHere(dataDirectory, names, onProgress);
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

async function rebuildHere(
  dataDirectory: string,
  names: readonly string[] | null,
  onProgress: OnProgress,
): Promise<void> {
  // What goes wrong comes back as an error.
  Logger.overrideLogger(false);
  const engines = await openEngines({ dataDirectory });
  try {
    const { eventStore, documentStore, contentKeys } = engines;
    const runner = new ProjectionRunner({
      eventStore,
      documentStore,
      codec: new EventCodec(contentKeys),
      projections,
      rebuild: { engines: { dataDirectory }, projectionsModule: threadEntry('projections/index.js') },
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
