import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { bundled } from '../../../scripts/bundle.js';
import { run as runProgram } from '../../../src/app/cli/program.js';

const ANNALS = ['--enable-source-maps', bundled('src/main.ts')];

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Settings = Readonly<Record<string, string>>;

const environment = (settings: Settings) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ANNALS_LOG_LEVEL: 'warn',
  ...settings,
});

/**
 * Runs a command in this process, to its end, as if its environment had only these settings. It is no command that serves:
 * those end by a signal.
 *
 * @param input what it reads from standard input
 */
export async function run(words: readonly string[], settings: Settings = {}, input = ''): Promise<Outcome> {
  const [output, errors] = [new Written(), new Written()];
  const code = await runProgram(words, {
    output,
    errors,
    environment: environment(settings),
    input: Readable.from([input]),
  });
  return { code, stdout: output.text, stderr: errors.text };
}

/** Runs the program as a shell does, to its end: for what only a process has, such as its exit code, pipes and signals. */
export const annals = (words: readonly string[], settings: Settings = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    const options = { env: environment(settings), maxBuffer: 2 ** 26 };
    execFile(process.execPath, [...ANNALS, ...words], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });

/** Starts the program, to be watched and ended. */
export const spawnAnnals = (words: readonly string[], settings: Settings = {}): ChildProcess =>
  spawn(process.execPath, [...ANNALS, ...words], { env: environment(settings), stdio: ['ignore', 'pipe', 'pipe'] });

/** Keeps the text that is written to it. */
class Written extends Writable {
  text = '';

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(chunk: string, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk;
    done();
  }
}
