// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeMachine } from './machine.js';
import { tableOf, writeJson } from './report.js';
import { killChildren } from './servers/child.js';

/** How long an interrupted bench takes things away, milliseconds. */
const PATIENCE = 10_000;

/**
 * What every bench begins and ends with: a folder, progress, and a report that is shown also where the rest fails or is
 * interrupted.
 *
 * @param {import('./options.js').Options} options
 * @param {() => Promise<void>} [onInterrupt] what is to be taken away then, besides files and processes
 */
export function beginSession(options, onInterrupt = async () => {}) {
  const beganAt = performance.now();
  const say = (/** @type {string} */ line) =>
    console.error(`${((performance.now() - beganAt) / 1000).toFixed(0).padStart(5)} s  ${line}`);

  const directory = mkdtempSync(join(tmpdir(), 'annals-bench-'));
  /** @type {import('./report.js').Report} */
  const report = {
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
    say(`the same as JSON: ${writeJson(report, fileURLToPath(new URL('results', import.meta.url)))}`);
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => {
      // First whoever still writes there. What does not come to an end is left.
      killChildren();
      setTimeout(() => process.exit(1), PATIENCE);
      void onInterrupt().finally(() => process.exit(1));
    });
  }
  return { directory, report, say };
}
