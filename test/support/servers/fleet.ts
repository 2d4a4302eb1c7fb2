import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundled } from '../../../scripts/bundle.js';
import { engineSettingsOf } from '../../../src/app/config/config.js';
import type { DocumentStore } from '../../../src/platform/documents/document-store.js';
import { MongoDocumentStore } from '../../../src/platform/documents/mongodb/mongo-document-store.js';
import { EventStoreDbServer } from '../engines/eventstoredb/server.js';
import { type OwnDatabase, ownDatabase } from '../engines/mongodb.js';
import { eventually } from '../eventually.js';
import { type AllDocuments, documentsIn } from '../projections/documents.js';
import { Api } from '../requests/api.js';
import { type Credentials, RunningServer, temporaryDataDirectory } from './running-server.js';
import { seedMessages } from './seeded-messages.js';

const ANNALS = bundled('src/main.ts');
/** A stand-in for MongoDB takes long to create all collections. */
const CREATED_WITHIN_MS = 150_000;

export interface FleetSize {
  readonly apis: number;
  readonly workers: number;
  /** Environment of every process, besides its engines. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** One organization on many real processes, API processes and workers, with its own log and documents. */
export class Fleet {
  readonly apis: RunningServer[] = [];
  readonly workers: RunningServer[] = [];
  hasRebuilt = false;
  private started = 0;

  private constructor(
    readonly log: EventStoreDbServer,
    private readonly database: OwnDatabase,
    private readonly data: Awaited<ReturnType<typeof temporaryDataDirectory>>,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** Starts the processes. With a worker, it waits until each API process answers clients. */
  static async start({ apis, workers, environment = {} }: FleetSize): Promise<Fleet> {
    const data = await temporaryDataDirectory();
    const fleet = new Fleet(await EventStoreDbServer.start(), ownDatabase(), data, environment);
    try {
      await Promise.all([...repeat(workers, () => fleet.addWorker()), fleet.addApi()]);
      await Promise.all(repeat(apis - 1, () => fleet.addApi()));
      if (workers > 0)
        await Promise.all(fleet.apis.map(({ url }) => eventually(() => expectReady(url), CREATED_WITHIN_MS)));
      return fleet;
    } catch (error) {
      await fleet.stop();
      throw error;
    }
  }

  /** Environment of every process. */
  get settings(): Record<string, string> {
    const engines = { EVENTSTORE_URL: this.log.url, MONGODB_URL: this.database.url };
    return { ...engines, ANNALS_HEARTBEAT_SECONDS: '5', ...this.environment };
  }

  get mongodbUrl(): string {
    return this.database.url;
  }

  async addApi(): Promise<RunningServer> {
    const server = await this.run('api');
    this.apis.push(server);
    return server;
  }

  /** @param environment differences from the other processes */
  async addWorker(environment: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
    const server = await this.run('projections', undefined, environment);
    this.workers.push(server);
    return server;
  }

  /** Client of the owner, at one of the API processes. */
  async owner(index = 0): Promise<Api> {
    return new Api({ ...(await this.credentials()), site: this.api(index).url });
  }

  private async credentials(): Promise<Credentials> {
    for (const server of this.apis) {
      const credentials = await server.owner().catch(() => null);
      if (credentials) return credentials;
    }
    throw new Error('no process has written credentials');
  }

  /** Kills an API process, and starts another in its place. @param environment differences from the other processes */
  async replaceApi(index: number, environment: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.api(index).kill();
    this.apis[index] = await this.run('api', this.api(index).dataDirectory, environment);
  }

  /** Runs `annals rebuild`. */
  async rebuild(): Promise<void> {
    const child = spawn(process.execPath, ['--enable-source-maps', ANNALS, 'rebuild'], {
      env: { ...process.env, NODE_OPTIONS: '', ...this.settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number];
    this.hasRebuilt = true;
    if (code !== 0) throw new Error(`annals rebuild failed:\n${printed}`);
  }

  /** Appends messages to the log, see `seedMessages`. */
  seed(...[to, texts]: ParametersBehind<typeof seedMessages>): Promise<void> {
    const engines = { eventStoreUrl: this.log.url, mongodbUrl: this.mongodbUrl, streamPrefix: '' };
    return seedMessages(engineSettingsOf({ dataDirectory: join(this.data.path, 'seed'), ...engines }), to, texts);
  }

  /** Reads every document of every projection. */
  documents(): Promise<AllDocuments> {
    return this.withDocuments(documentsIn);
  }

  async withDocuments<T>(work: (store: DocumentStore) => Promise<T>): Promise<T> {
    const connection = await this.database.connect();
    const store = await MongoDocumentStore.open(connection);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  /** Lists collections that have a document with this text, of any database. */
  async collectionsWith(words: string): Promise<string[]> {
    const { database } = await this.database.connect();
    const found: string[] = [];
    for (const collection of await database.collections()) {
      const documents = await collection.find().toArray();
      if (JSON.stringify(documents).includes(words)) found.push(collection.collectionName);
    }
    return found;
  }

  api(index: number): RunningServer {
    const server = this.apis[index % this.apis.length];
    if (!server) throw new Error('there is no such process');
    return server;
  }

  async stop(): Promise<void> {
    // Processes end before their engines: one that dies in a transaction leaves the database locked for a while.
    await Promise.all([...this.apis, ...this.workers].map((server) => end(server)));
    await this.log.stop();
    await this.database.remove();
    await this.data.remove();
  }

  private async run(
    command: 'api' | 'projections',
    existing?: string,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<RunningServer> {
    this.started++;
    const directory = existing ?? join(this.data.path, `${command}-${this.started}`);
    const program = { file: ANNALS, args: [command] };
    const server = await RunningServer.start(directory, { ...this.settings, ...environment }, program);
    server.findOwner = () => this.credentials();
    return server;
  }
}

async function end(server: RunningServer): Promise<void> {
  server.signal('SIGCONT');
  const patience = setTimeout(() => void server.kill(), 20_000);
  await server.stop();
  clearTimeout(patience);
}

type ParametersBehind<F> = F extends (first: never, ...others: infer Others) => unknown ? Others : never;

const repeat = <T>(times: number, work: () => T): T[] => Array.from({ length: times }, work);

async function expectReady(url: string): Promise<void> {
  const { status } = await fetch(`${url}/health/ready`);
  if (status !== 200) throw new Error(`${url} is not ready: ${status}`);
}
