import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Keeps a process from taking engines from the environment of the bench. */
const EMBEDDED = { EVENTSTORE_URL: '', MONGODB_URL: '', ANNALS_STREAM_PREFIX: '' };

/** A greeting for each account that a bench makes would be measured, too, which earlier versions do not send. */
const UNGREETED = { ANNALS_WELCOME_MESSAGES: 'false' };

/** A server in a process of its own. Its standard error is this process's. */
export class Child {
  readonly #process: ChildProcess;
  readonly #name: string;

  /**
   * @param name stands in error messages
   * @param nodeArguments flags of `node` besides those of this process, then the script and its arguments
   * @param environment names engines other than the embedded ones
   */
  constructor(
    name: string,
    readonly port: number,
    nodeArguments: readonly string[],
    environment: Readonly<Record<string, string>> = EMBEDDED,
  ) {
    this.#name = name;
    const env = { ...process.env, ...UNGREETED, ...environment };
    this.#process = spawn(process.execPath, [...process.execArgv, ...nodeArguments], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.add(this.#process);
    this.#process.once('exit', () => running.delete(this.#process));
  }

  get pid(): number {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error(`${this.#name} could not be started`);
    return pid;
  }

  /**
   * Asks until the answer is yes.
   *
   * @param every milliseconds between two questions
   */
  async ready(isReady: () => Promise<boolean>, timeoutSeconds: number, every = 10) {
    const end = performance.now() + timeoutSeconds * 1000;
    while (performance.now() < end) {
      if (this.#process.exitCode !== null || this.#process.signalCode !== null) {
        throw new Error(`${this.#name} ended with ${this.#process.exitCode ?? this.#process.signalCode}`);
      }
      if (await isReady()) return;
      await new Promise((resolve) => setTimeout(resolve, every));
    }
    throw new Error(`${this.#name} was not ready within ${timeoutSeconds} s`);
  }

  /** Reads its resident memory, MiB. */
  residentMemory() {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(this.pid)], { encoding: 'utf8' })) / 1024;
  }

  /** Reads the processor time that it has used, in seconds; null if the system does not tell. */
  cpuSeconds(): number | null {
    if (process.platform !== 'linux') return null;
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  /** Makes it stand still until `thaw`. */
  freeze() {
    this.#process.kill('SIGSTOP');
  }

  thaw() {
    this.#process.kill('SIGCONT');
  }

  /** Resolves with its exit code, or the signal that ended it, when it has ended. */
  async ended() {
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, 'exit');
    return this.#process.exitCode ?? this.#process.signalCode;
  }

  /** Ends it at once, whatever it does, and waits. */
  async kill() {
    this.#process.kill('SIGKILL');
    await this.ended();
  }

  /** Ends it the way an operator would, and waits. */
  async stop() {
    this.#process.kill('SIGTERM');
    await this.ended();
  }
}

const running = new Set<ChildProcess>();

/** Ends every process that was started here. */
export function killChildren() {
  for (const child of running) child.kill('SIGKILL');
}

/** Finds a port that nobody listens on at the moment. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
