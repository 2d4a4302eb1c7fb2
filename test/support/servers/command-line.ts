import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { bundled } from '../../../scripts/bundle.js';

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

/** Runs the program as a shell does, to its end. */
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
