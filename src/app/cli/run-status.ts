import { setTimeout as pause } from 'node:timers/promises';
import type { EngineSettings } from '../../platform/engines/engines.js';
import { ask, connectToServer } from './control-client.js';
import { ToldFailure } from './failure.js';
import type { Printing } from './shell.js';
import { type Read, type StatusReport, statusText } from './status-text.js';
import { stopAsked } from './stop-signals.js';

const EVERY_MS = 2000;

/**
 * Prints how the server on the data directory does; on shared engines, what its processes have written there.
 *
 * @throws ToldFailure if it is not ready; Error if no server runs
 */
export async function runStatus(
  settings: EngineSettings,
  { json = false, watch = false }: { readonly json?: boolean; readonly watch?: boolean },
  output: Printing['output'],
): Promise<void> {
  const print = (report: StatusReport): void =>
    void output.write(json ? `${JSON.stringify(report)}\n` : statusText(report));
  const over = new AbortController();
  if (watch) void stopAsked(over.signal).then(() => over.abort());
  await reading(settings, async (read) => {
    for (;;) {
      const report = await read();
      print(report);
      if (!watch && !report.ready) throw new ToldFailure('not ready');
      if (!watch || (await isOver(over.signal))) return;
      if (!json) output.write('\n');
    }
  }).finally(() => over.abort());
}

async function isOver(signal: AbortSignal): Promise<boolean> {
  await pause(EVERY_MS, undefined, { signal }).catch(() => {});
  return signal.aborted;
}

async function reading(settings: EngineSettings, work: (read: Read) => Promise<void>): Promise<void> {
  if (!settings.distributed) return work(() => askServer(settings.dataDirectory));
  const { readingEngines } = await import('./shared-status.js');
  await readingEngines(settings, work);
}

async function askServer(dataDirectory: string): Promise<StatusReport> {
  const server = await connectToServer(dataDirectory);
  if (!server) throw new Error(`no server runs on ${dataDirectory}, or it has only begun to start`);
  return JSON.parse(String(await ask(server, { request: 'health' }))) as StatusReport;
}
