import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { compiled } from '../../scripts/transpile.js';

const SCRIPT = compiled('test/support/event-store-child.ts');

/** Another process that writes a log. */
export class EventStoreProcess {
  private readonly process: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  constructor(directory: string) {
    this.process = spawn(process.execPath, [SCRIPT, directory], { stdio: ['pipe', 'pipe', 'inherit'] });
    const output: Interface = createInterface({ input: this.process.stdout as NodeJS.ReadableStream });
    this.lines = output[Symbol.asyncIterator]();
  }

  /** Its next line; undefined once it has ended and all is read. */
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

  /** Writing beyond this size of a file fails, as on a full disk; undefined takes the limit away. */
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

/** Starts one, waits until it has opened its log, and ends it whatever happens. */
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
