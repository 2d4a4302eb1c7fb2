import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled } from '../../../scripts/bundle.js';
import { ask, connectToServer } from '../../../src/app/cli/control-client.js';
import type { HealthReport } from '../../../src/app/health/health.js';
import { EMBEDDED, PATIENT, UNGREETED } from '../engines/own-engines.js';
import { eventually } from '../eventually.js';

const ANNALS = bundled('src/main.ts');
const START_TIMEOUT_MS = 150_000;
export const CATCH_UP_TIMEOUT_MS = 60_000;

export interface Credentials {
  readonly email: string;
  readonly key: string;
  readonly site: string;
}

/** Makes a temporary data directory, which outlives its servers. */
export async function temporaryDataDirectory(): Promise<{
  path: string;
  /** Removes all documents, as an operator may. No server may run. */
  removeDocuments(): Promise<void>;
  remove(): Promise<void>;
}> {
  const path = await mkdtemp(join(tmpdir(), 'annals-'));
  return {
    path,
    removeDocuments: () => rm(join(path, 'documents'), { recursive: true }),
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Tells whether the server is ready and its documents have caught up with the log. */
export const isCaughtUp = ({ ready, projections }: Pick<HealthReport, 'ready' | 'projections'>): boolean =>
  ready && projections.every(({ upToDate }) => upToDate);

/** The real program in a child process, ready to answer. */
export class RunningServer {
  /** Of several processes, the one that has created the organization has the credentials. */
  findOwner = (): Promise<Credentials> => this.owner();

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    readonly dataDirectory: string,
    private readonly output: () => string,
  ) {}

  /**
   * @param environment may name engines other than the embedded ones
   * @param script another program than `bin/annals.js`, with faults inside
   */
  static async start(
    dataDirectory: string,
    environment: Readonly<Record<string, string>> = {},
    script: { readonly file: string; readonly args: readonly string[] } = { file: ANNALS, args: ['start'] },
  ): Promise<RunningServer> {
    const child = spawn(process.execPath, ['--enable-source-maps', script.file, ...script.args], {
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        ...EMBEDDED,
        ...UNGREETED,
        ...(script.args[0] === 'start' ? PATIENT : {}),
        ANNALS_DATA_DIR: dataDirectory,
        ANNALS_PORT: '0',
        ANNALS_LOG_LEVEL: 'warn',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const url = new Promise<string>((resolve, reject) => {
      const failed = (why: string): void => {
        child.kill('SIGKILL');
        reject(new Error(`the server ${why}; it printed:\n${output}`));
      };
      const timer = setTimeout(() => failed('did not get ready'), START_TIMEOUT_MS);
      const read = (chunk: Buffer): void => {
        output += chunk.toString('utf8');
        const found = /(?:Annals is running at|Health:) (http:\/\/[^\s/]+)/.exec(output)?.[1];
        if (!found) return;
        clearTimeout(timer);
        resolve(found);
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      child.once('exit', () => {
        clearTimeout(timer);
        failed('ended before it was ready');
      });
    });
    return new RunningServer(child, await url, dataDirectory, () => output);
  }

  /**
   * Resolves when its answers have everything that was acknowledged before it started. Shared documents may have been kept
   * by a killed process; others take over after it has been silent for a while.
   * @param longest milliseconds
   */
  async caughtUp(longest = CATCH_UP_TIMEOUT_MS): Promise<this> {
    await eventually(async () => {
      const health = await this.health();
      if (!isCaughtUp(health)) throw new Error(`the server has not caught up: ${JSON.stringify(health)}`);
    }, longest);
    return this;
  }

  /** The details of its health: over its control socket, and on shared engines as its owner, whose use of a key is an event. */
  async health(): Promise<HealthReport> {
    const open = (await (await fetch(`${this.url}/health`)).json()) as HealthReport;
    if (open.projections) return open;
    const socket = await connectToServer(this.dataDirectory);
    if (socket) return JSON.parse(String(await ask(socket, { request: 'health' })));
    const { email, key } = await this.findOwner();
    const answer = await fetch(`${this.url}/api/v1/health`, {
      headers: { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` },
    });
    if (!answer.ok) throw new Error(`health is not told: ${await answer.text()}`);
    return (await answer.json()) as HealthReport;
  }

  get printed(): string {
    return this.output();
  }

  get pid(): number {
    return this.child.pid as number;
  }

  async owner(): Promise<Credentials> {
    const text = await readFile(join(this.dataDirectory, 'owner.zuliprc'), 'utf8');
    const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
    return { email: value('email'), key: value('key'), site: this.url };
  }

  /** Ends it with SIGKILL. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  /** Ends it with SIGTERM. */
  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  /** Freezes or resumes it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(signal);
  }

  /** Resolves when the process has ended. */
  async ended(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    await once(this.child, 'exit');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    this.child.kill(signal);
    await this.ended();
  }
}
