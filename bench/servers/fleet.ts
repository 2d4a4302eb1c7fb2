import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HealthReport } from '../../src/app/health/health.js';
import { Connection } from '../driver/connection.js';
import { ANNALS, becomesReady, HEALTH, spawnAnnals } from './annals.js';
import { Child } from './child.js';
import type { Engines } from './engines.js';

const PATIENCE_SECONDS = 300;
/** Milliseconds between two questions: few of them cost little beside the work. */
const ASK_EVERY = 100;

interface FleetOptions {
  readonly directory: string;
  readonly engines: Engines;
  readonly profileDirectory: string | null;
}

/** One worker and any number of API processes, all on the same engines. */
export class Fleet {
  readonly #apis: Child[] = [];

  constructor(
    readonly worker: Child,
    private readonly options: FleetOptions,
  ) {}

  /** Starts the worker, and waits until it has built everything. */
  static async start(options: FleetOptions): Promise<Fleet> {
    const { directory, engines, profileDirectory } = options;
    const worker = await spawnAnnals({
      command: 'projections',
      dataDirectory: join(directory, 'worker'),
      profileDirectory,
      environment: engines.environment,
    });
    await becomesReady(worker, PATIENCE_SECONDS, ASK_EVERY);
    return new Fleet(worker, options);
  }

  /** Starts API processes until there are so many. */
  async apis(count: number): Promise<readonly Child[]> {
    const { directory, engines, profileDirectory } = this.options;
    while (this.#apis.length < count) {
      const api = await spawnAnnals({
        command: 'api',
        dataDirectory: join(directory, `api-${this.#apis.length + 1}`),
        profileDirectory,
        environment: engines.environment,
      });
      await becomesReady(api, PATIENCE_SECONDS, ASK_EVERY);
      this.#apis.push(api);
    }
    return this.#apis.slice(0, count);
  }

  /** Resolves when the worker says that the documents are as far as the log. */
  async settled() {
    const end = performance.now() + PATIENCE_SECONDS * 1000;
    while (!(await isSettled(this.worker.port))) {
      if (performance.now() > end) throw new Error(`the documents are not up to date after ${PATIENCE_SECONDS} s`);
      await pause(ASK_EVERY);
    }
  }

  /** Runs `annals rebuild`, as an operator would, to its end. */
  async rebuild() {
    const { directory, engines } = this.options;
    const data = ['--data-dir', join(directory, 'operator')];
    const child = new Child('annals rebuild', 0, [ANNALS, 'rebuild', ...data], engines.environment);
    const code = await child.ended();
    if (code !== 0) throw new Error(`annals rebuild ended with ${code}`);
  }

  async stop() {
    await Promise.all([...this.#apis, this.worker].map((child) => child.stop()));
  }
}

async function isSettled(port: number) {
  const connection = await Connection.open(port);
  try {
    const { status, body } = await connection.send(HEALTH);
    if (status !== 200) return false;
    const { projections } = JSON.parse(body.toString('utf8')) as HealthReport;
    return projections.every(({ upToDate }) => upToDate);
  } finally {
    connection.close();
  }
}
