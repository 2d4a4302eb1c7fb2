import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { projections } from '../../../projections/index.js';
import type { Stall } from '../../../projections/runner/attempts.js';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import type { EngineSettings } from '../../platform/engines/engines.js';
import { openEngines } from '../../platform/engines/open-engines.js';
import { Deferred } from '../../platform/kernel/deferred.js';
import { askForRebuild } from '../roles/asked-rebuilds.js';
import { damagedLine } from '../roles/damaged-documents.js';
import { newProjectionRunner } from '../roles/projection-runner.js';
import { openSkippingCodec } from '../roles/skip-events.js';
import { BuildReport, duration, type ReportOutput } from './build-report.js';
import { ask } from './control-client.js';
import type { AskedRebuild } from './control-protocol.js';
import { UsageError } from './failure.js';
import { inOrganization, throughServer } from './open-organization.js';

type OnProgress = (progress: BuildProgress) => void;

/** The build fails again and again at one place. */
class RebuildStalled extends Error {
  override readonly name = 'RebuildStalled';
}

interface RebuildOptions {
  /** null: every projection. */
  readonly names: readonly string[] | null;
  /** Places of events that cannot be read and are to be passed over, as STREAM@REVISION. */
  readonly skip: readonly string[];
  /** Whether the command waits for a rebuild that makes no headway. */
  readonly waits: boolean;
}

/** Where a rebuild tells of itself. */
interface Telling {
  readonly output: Writable;
  readonly onProgress: OnProgress;
}

/** Waits for a rebuild, as long as it makes headway. */
type Wait = <T>(rebuild: Promise<T>) => Promise<T>;

/**
 * Rebuilds projections through the server that runs on the data directory, or here if none does; on shared engines,
 * through the processes that keep the documents.
 *
 * @throws RebuildStalled; UsageError if events are to be passed over on shared engines
 */
export async function runRebuild(
  settings: EngineSettings,
  { names, skip, waits }: RebuildOptions,
  output: Writable & ReportOutput,
): Promise<void> {
  if (settings.distributed && skip.length > 0)
    throw new UsageError('on shared engines, start the processes anew with ANNALS_SKIP: each must pass the event over');
  const startedAt = performance.now();
  const report = new BuildReport(output);
  try {
    const stalled = new Deferred<never>();
    stalled.promise.catch(() => {});
    let goesOn = true;
    let shown: number | null = null;
    const onProgress: OnProgress = (progress) => {
      report.update(progress);
      const { stall } = progress;
      if (!stall) return;
      if (!waits) stalled.reject(new RebuildStalled(reasonOf(stall, goesOn)));
      else if (stall.since !== shown) output.write(`No headway: ${stall.message}. It is tried again.\n`);
      shown = stall.since;
    };
    const wait: Wait = (rebuild) => Promise.race([rebuild, stalled.promise]);
    const telling = { output, onProgress };
    if (settings.distributed) await rebuildElsewhere(settings, names, telling, wait);
    else
      await throughServer(settings, {
        ask: (server) => rebuildInServer(server, { projections: names, skip }, telling, wait),
        here: async () => {
          goesOn = false;
          await rebuildHere(settings, { names, skip }, telling, wait);
        },
      });
  } finally {
    report.end();
  }
  const what = names ? names.join(', ') : 'all projections';
  output.write(`Rebuilt ${what} in ${duration((performance.now() - startedAt) / 1000)}.\n`);
}

/** @param goesOn a server goes on trying */
function reasonOf({ message }: Stall, goesOn: boolean): string {
  const why = `the rebuild makes no headway: ${message.replace(/\.$/, '')}.`;
  return goesOn
    ? `${why} It is tried again, at most every 30 s, and clients are served as before; --wait waits for it`
    : `${why} It was given up, and the documents are as before; --wait goes on trying`;
}

async function rebuildInServer(
  server: Socket,
  asked: AskedRebuild,
  { output, onProgress }: Telling,
  wait: Wait,
): Promise<void> {
  output.write('The running server rebuilds and keeps serving. It goes on if you stop this command.\n');
  try {
    await wait(ask(server, { request: 'rebuild', ...asked }, onProgress));
  } finally {
    server.destroy();
  }
}

/** Rebuilds through the processes that keep the documents. */
async function rebuildElsewhere(
  settings: EngineSettings,
  names: readonly string[] | null,
  { output, onProgress }: Telling,
  wait: Wait,
): Promise<void> {
  Logger.overrideLogger(false);
  await inOrganization({ ...settings, readOnly: true }, async (engines) => {
    output.write('The processes that keep the documents rebuild them; clients are served meanwhile.\n');
    await wait(askForRebuild(engines, names ?? projections.map(({ name }) => name), onProgress));
  });
}

async function rebuildHere(
  settings: EngineSettings,
  { names, skip: places }: Pick<RebuildOptions, 'names' | 'skip'>,
  { output, onProgress }: Telling,
  wait: Wait,
): Promise<void> {
  // Failures come back as errors.
  Logger.overrideLogger(false);
  const engines = await openEngines({
    ...settings,
    mustExist: true,
    onDamaged: (damaged) => output.write(`${damagedLine(damaged)}\n`),
  });
  try {
    const { codec, skip } = await openSkippingCodec(engines);
    for (const place of places) await skip(place, new CommandRunner(engines.eventStore, engines.contentKeys, codec));
    const runner = newProjectionRunner({ engines, settings, codec });
    await runner.start({ build: false });
    try {
      await wait(runner.rebuild(names ?? undefined, onProgress));
    } finally {
      await runner.close();
    }
  } finally {
    await engines.close();
  }
}
