// @ts-check
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '../driver/connection.js';
import { ANNALS, becomesReady, HEALTH, spawnAnnals } from './annals.js';
import { Child } from './child.js';

const PATIENCE_SECONDS = 300;
/** So that asking costs little beside the work that is waited for, milliseconds. */
const ASK_EVERY = 100;

/** One worker, and as many processes that answer clients as are asked for; all on the same engines. */
export class Fleet {
  /** @type {Child[]} */
  #apis = [];

  /**
   * @param {object} options
   * @param {Child} options.worker
   * @param {string} options.directory
   * @param {import('./engines.js').Engines} options.engines
   * @param {string | null} options.profileDirectory
   */
  constructor({ worker, directory, engines, profileDirectory }) {
    this.worker = worker;
    this.directory = directory;
    this.engines = engines;
    this.profileDirectory = profileDirectory;
  }

  /**
   * The worker, once it has built everything.
   *
   * @param {Omit<ConstructorParameters<typeof Fleet>[0], 'worker'>} options
   */
  static async start({ directory, engines, profileDirectory }) {
    const worker = await spawnAnnals({
      command: 'projections',
      dataDirectory: join(directory, 'worker'),
      profileDirectory,
      environment: engines.environment,
    });
    await becomesReady(worker, PATIENCE_SECONDS, ASK_EVERY);
    return new Fleet({ worker, directory, engines, profileDirectory });
  }

  /** So many processes that answer. @param {number} count @returns {Promise<readonly Child[]>} */
  async apis(count) {
    while (this.#apis.length < count) {
      const api = await spawnAnnals({
        command: 'api',
        dataDirectory: join(this.directory, `api-${this.#apis.length + 1}`),
        profileDirectory: this.profileDirectory,
        environment: this.engines.environment,
      });
      await becomesReady(api, PATIENCE_SECONDS, ASK_EVERY);
      this.#apis.push(api);
    }
    return this.#apis.slice(0, count);
  }

  /** Resolves when every process says that the documents are as far as the log. */
  async settled() {
    for (const { port } of this.#apis) {
      const end = performance.now() + PATIENCE_SECONDS * 1000;
      while (!(await isSettled(port))) {
        if (performance.now() > end) throw new Error(`the documents are not up to date after ${PATIENCE_SECONDS} s`);
        await pause(ASK_EVERY);
      }
    }
  }

  /** `annals rebuild`, as an operator would; resolves when it has ended. */
  async rebuild() {
    const data = ['--data-dir', join(this.directory, 'operator')];
    const child = new Child('annals rebuild', 0, [ANNALS, 'rebuild', ...data], this.engines.environment);
    const code = await child.ended();
    if (code !== 0) throw new Error(`annals rebuild ended with ${code}`);
  }

  async stop() {
    await Promise.all([...this.#apis, this.worker].map((child) => child.stop()));
  }
}

/** @param {number} port */
async function isSettled(port) {
  const connection = await Connection.open(port);
  try {
    const { status, body } = await connection.send(HEALTH);
    if (status !== 200) return false;
    const { projections } = JSON.parse(body.toString('utf8'));
    return projections.every((/** @type {{ upToDate: boolean }} */ { upToDate }) => upToDate);
  } finally {
    connection.close();
  }
}
