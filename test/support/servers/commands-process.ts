// Runs commands one after another, without any end by `process.exit`: the process ends when nothing keeps it alive any more.
//   node commands-process.js '[[["log", "--limit", "1"], …], {"ANNALS_DATA_DIR": …}]'
import { Readable, Writable } from 'node:stream';
import { run } from '../../../src/app/cli/program.js';

/** What is printed at the end, as JSON. */
export interface CommandsRun {
  /** Commands that did not end with 0. */
  readonly failed: readonly (readonly string[])[];
  /** Number of listeners for SIGINT and SIGTERM that are left. */
  readonly listeners: number;
}

const [commands, environment]: [string[][], Record<string, string>] = JSON.parse(process.argv[2] ?? '');
const output = new Writable({ write: (_chunk, _encoding, done) => done() });
const failed: string[][] = [];
for (const words of commands)
  if ((await run(words, { output, errors: process.stderr, environment, input: Readable.from([]) })) !== 0)
    failed.push(words);
const listeners = process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');
console.log(JSON.stringify({ failed, listeners } satisfies CommandsRun));
