import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { compiled } from '../../../scripts/transpile.js';

const SCRIPT = compiled('test/support/engines/event-store-child.ts');

/** A child process that writes a log. */
export class EventStoreProcess {
  private readonly process: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  constructor(directory: string) {
    this.process = spawn(process.execPath, [SCRIPT, directory], { stdio: ['pipe', 'pipe', 'inherit'] });
    const output: Interface = createInterface({ input: this.process.stdout as NodeJS.ReadableStream });
    this.lines = output[Symbol.asyncIterator]();
  }

  /** Reads its next line; undefined after the last. */
  async answer(): Promise<unknown> {
    const { value, done } = await this.lines.next();
    return done ? undefined : JSON.parse(value as string);
  }

  tell(command: { readonly do: string; readonly [argument: string]: unknown }): void {
    this.process.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  async ask(command: { readonly do: string; readonly [argument: string]: unknown }): Promise<unknown> {
    this.tell(command);
    return this.answer();
  }

  /** Limits the size of files, as a full disk does; undefined removes the limit. */
  limitFiles(bytes: number | undefined): void {
    execFileSync('prlimit', ['--pid', String(this.process.pid), `--fsize=${bytes ?? 'unlimited'}:`]);
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exit = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exit;
  }
}

/** Runs `work` with a process that has opened its log, and ends the process in any case. */
export async function withEventStoreProcess<T>(
  directory: string,
  work: (child: EventStoreProcess) => Promise<T>,
): Promise<T> {
  const child = new EventStoreProcess(directory);
  try {
    const first = await child.answer();
    if (first !== 'open') throw new Error(`the log was not opened: ${JSON.stringify(first)}`);
    return await work(child);
  } finally {
    await child.kill();
  }
}
