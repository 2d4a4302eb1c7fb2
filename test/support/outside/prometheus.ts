import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../scripts/free-port.js';
import { ROOT } from '../../../scripts/transpile.js';
import { eventually } from '../eventually.js';
import type { DebianPackage } from './debian.js';

const STARTS_WITHIN_MS = 120_000;

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  /** When, and the value. */
  readonly value: readonly [at: number, value: string];
}

/** Prometheus with the configuration of `deploy`, in a folder. */
export class Prometheus {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
  ) {}

  /**
   * @param targets addresses of processes, as HOST:PORT
   * @throws Error if the configuration is not right
   */
  static async start(debian: DebianPackage, folder: string, targets: readonly string[]): Promise<Prometheus> {
    const config = join(folder, 'prometheus.yml');
    await copyFile(join(ROOT, 'deploy/prometheus.yml'), config);
    await writeFile(join(folder, 'targets.yml'), JSON.stringify([{ targets }]));
    await promisify(execFile)(debian.program('promtool'), ['check', 'config', config]);
    const address = `127.0.0.1:${await freePort()}`;
    const storage = `--storage.tsdb.path=${join(folder, 'data')}`;
    const child = spawn(
      debian.program('prometheus'),
      [`--config.file=${config}`, storage, `--web.listen-address=${address}`, '--log.level=error'],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const started = new Prometheus(child, `http://${address}`);
    await eventually(async () => {
      if (!(await fetch(`${started.url}/-/ready`)).ok) throw new Error('Prometheus is not ready');
    }, STARTS_WITHIN_MS);
    return started;
  }

  /** Series that an expression has now. @throws Error if it is no expression */
  async query(expression: string): Promise<readonly Series[]> {
    const answer = await fetch(`${this.url}/api/v1/query?${new URLSearchParams({ query: expression })}`);
    const { error, data } = (await answer.json()) as { error?: string; data?: { result: readonly Series[] } };
    if (!data) throw new Error(`${expression}: ${error}`);
    return data.result;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }
}
