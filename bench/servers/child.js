// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Of a process that takes no engines from the environment of the bench. */
const EMBEDDED = { EVENTSTORE_URL: '', MONGODB_URL: '', ANNALS_STREAM_PREFIX: '' };

/** A server in a process of its own. Its errors go to this process's standard error. */
export class Child {
  /** @type {import('node:child_process').ChildProcess} */
  #process;
  /** @type {string} */
  #name;

  /**
   * @param {string} name for messages
   * @param {number} port
   * @param {readonly string[]} nodeArguments of `node`, besides the flags of this process: flags, script, arguments
   * @param {Readonly<Record<string, string>>} [environment] engines other than the embedded ones
   */
  constructor(name, port, nodeArguments, environment = EMBEDDED) {
    this.#name = name;
    this.port = port;
    const env = { ...process.env, ...environment };
    this.#process = spawn(process.execPath, [...process.execArgv, ...nodeArguments], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.add(this.#process);
    this.#process.once('exit', () => running.delete(this.#process));
  }

  get pid() {
    return /** @type {number} */ (this.#process.pid);
  }

  /**
   * Asks until the answer is there.
   *
   * @param {() => Promise<boolean>} isReady
   * @param {number} timeoutSeconds
   * @param {number} [every] milliseconds
   */
  async ready(isReady, timeoutSeconds, every = 10) {
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

  /** Resident memory, MiB. */
  residentMemory() {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(this.pid)], { encoding: 'utf8' })) / 1024;
  }

  /** Processor time used so far, seconds; null where the system does not tell. */
  cpuSeconds() {
    if (process.platform !== 'linux') return null;
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  /** It stands still, until `thaw`. */
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

  /** At once, whatever it does, and waits. */
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

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** For the way out: nothing that was started here stays. */
export function killChildren() {
  for (const child of running) child.kill('SIGKILL');
}

/** A port that nobody listens on at the moment. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
