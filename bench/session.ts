import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from './machine.js';
import type { Options } from './options.js';
import { type Report, tableOf, writeJson } from './report.js';
import { inRepository } from './root.js';
import { killChildren } from './servers/child.js';

/** Milliseconds that an interrupted bench has to clean up. */
const PATIENCE = 10_000;

/**
 * Begins a bench: a folder, progress, and a report that is shown at the end, even after a failure or an interruption.
 *
 * @param onInterrupt cleans up besides files and processes
 */
export function beginSession(
  options: Pick<Options, 'messages' | 'quick'>,
  onInterrupt: () => Promise<void> = async () => {},
) {
  const beganAt = performance.now();
  const say = (line: string) =>
    console.error(`${((performance.now() - beganAt) / 1000).toFixed(0).padStart(5)} s  ${line}`);

  const directory = mkdtempSync(join(tmpdir(), 'annals-bench-'));
  const report: Report = {
    startedAt: new Date().toISOString(),
    machine: describeMachine(directory),
    options: { messages: options.messages, quick: options.quick },
    engines: null,
    rows: [],
    targets: [],
  };

  process.once('exit', () => {
    killChildren();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    if (report.rows.length === 0) return;
    console.log(tableOf(report));
    say(`the same as JSON: ${writeJson(report, inRepository('bench/results'))}`);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      // The processes are killed first, since they write to what is cleaned up.
      killChildren();
      setTimeout(() => process.exit(1), PATIENCE);
      void onInterrupt().finally(() => process.exit(1));
    });
  }
  return { directory, report, say };
}
