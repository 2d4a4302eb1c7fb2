// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** A server in a process of its own. Its errors go to this process's standard error. */
export class Child {
  /** @type {import('node:child_process').ChildProcess} */
  #process;
  /** @type {string} */
  #name;

  /**
   * @param {string} name for messages
   * @param {number} port
   * @param {readonly string[]} nodeArguments of `node`: flags, script, arguments
   */
  constructor(name, port, nodeArguments) {
    this.#name = name;
    this.port = port;
    this.#process = spawn(process.execPath, nodeArguments, { stdio: ['ignore', 'ignore', 'inherit'] });
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
   */
  async ready(isReady, timeoutSeconds) {
    const end = performance.now() + timeoutSeconds * 1000;
    while (performance.now() < end) {
      if (this.#process.exitCode !== null || this.#process.signalCode !== null) {
        throw new Error(`${this.#name} ended with ${this.#process.exitCode ?? this.#process.signalCode}`);
      }
      if (await isReady()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
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

  /** Ends it the way an operator would, and waits. */
  async stop() {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await exited;
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
