import { join } from 'node:path';
import { type Command, CommandBus } from '@nestjs/cqrs';
import { readCredentials } from '../../../src/app/config/owner-credentials.js';
import { readConfig } from '../../../src/app/config/read-config.js';
import type { HealthReport } from '../../../src/app/health/health.js';
import { type RunningServer, type StartOptions, startServer } from '../../../src/app/server.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import type { Role } from '../../../src/events/shared/role.js';
import { RemoveDefaultChannel } from '../../../src/features/organization/domain/default-channels.js';
import { apiKeyHash, newApiKey } from '../../../src/features/users/commands/api-keys.handlers.js';
import { IssueApiKey } from '../../../src/features/users/domain/api-keys.js';
import { CreateUser } from '../../../src/features/users/domain/create-user.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import type { EngineSettings } from '../../../src/platform/engines/engines.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { START } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { type OwnEngines, ownEngines, PATIENT, UNGREETED } from '../engines/own-engines.js';
import { eventually } from '../eventually.js';
import { Api } from '../requests/api.js';
import { type Client, type Credentials, client } from '../requests/http.js';
import { CATCH_UP_TIMEOUT_MS, isCaughtUp } from './running-server.js';

/** Context of commands by the server itself. */
export const by = { actorId: null, client: 'test', correlationId: 'test' };

export interface Member extends Credentials {
  readonly id: number;
  /** Client of this user. */
  readonly api: Client;
}

/** The whole server, in this process and on its own engines, for HTTP specs. */
export class Annals {
  private constructor(
    private readonly engines: OwnEngines,
    private readonly settings: Readonly<Record<string, string>>,
    private readonly options: StartOptions,
    private running: RunningServer,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<Annals> {
    return Annals.on(await ownEngines(), settings);
  }

  /** Starts on the engines of an earlier server. `stop` removes them. */
  static async on(
    engines: OwnEngines,
    settings: Readonly<Record<string, string>> = {},
    options: StartOptions = {},
  ): Promise<Annals> {
    return new Annals(engines, settings, options, await run(engines, settings, options));
  }

  get app(): RunningServer['app'] {
    return this.running.app;
  }

  get url(): string {
    return this.running.url;
  }

  /** The details of health, as the owner reads them. */
  async health(): Promise<HealthReport> {
    return (await (await this.owner()).api.get('/health')).body;
  }

  get dataDirectory(): string {
    return this.engines.dataDirectory;
  }

  get engineSettings(): EngineSettings {
    return this.engines.settings;
  }

  /** Client without credentials. */
  get api(): Client {
    return client(this.running.url);
  }

  async owner(): Promise<Member> {
    const credentials = await readCredentials(join(this.dataDirectory, 'owner.zuliprc'));
    if (!credentials) throw new Error('the server has written no credentials');
    return this.member(1, { email: credentials.email, apiKey: credentials.key });
  }

  /** Client of the owner that does not check answers. */
  async ownerApi(): Promise<Api> {
    const { email, apiKey } = await this.owner();
    return new Api({ email, key: apiKey, site: this.url });
  }

  /** From now on, new accounts are in no channel. */
  async noDefaultChannels(): Promise<void> {
    await this.execute(new RemoveDefaultChannel({ channelId: 1, callerId: 1, by }));
  }

  /** Creates an account with a key. */
  async user(name: string, role: Role = 400): Promise<Member> {
    const email = `${name}@example.com`;
    const commands = this.app.get(CommandBus);
    const id = await commands.execute(new CreateUser({ account: { email, fullName: name, password: null, role }, by }));
    const apiKey = newApiKey();
    await commands.execute(new IssueApiKey({ userId: id, keyHash: apiKeyHash(apiKey), by }));
    return this.member(id, { email, apiKey });
  }

  /** Executes a command as the server itself: for commands without an endpoint. */
  execute<Result>(command: Command<Result>): Promise<Result> {
    return this.app.get(CommandBus).execute(command);
  }

  /** Reads the events of the log, or of one stream, after a position. */
  async events(stream?: string, after = START): Promise<Recorded[]> {
    const store = this.app.get<EventStore>(EVENT_STORE);
    const filter = stream === undefined ? {} : { filter: { streamPrefixes: [stream] } };
    const { events } = await store.readAll({ after, limit: 100_000, ...filter });
    return new EventCodec(this.app.get<ContentKeys>(CONTENT_KEYS), eventRegistry).decode(events);
  }

  async head(): Promise<number> {
    return this.app.get<EventStore>(EVENT_STORE).head();
  }

  /** Removes all documents. No server may run. */
  removeDocuments(): Promise<void> {
    return this.engines.removeDocuments();
  }

  /** @param meanwhile runs while no server runs */
  async restart(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    await this.running.close();
    await meanwhile();
    this.running = await run(this.engines, this.settings, this.options);
  }

  /**
   * Restarts on a log that has lost signed events. The start is refused until it is told to accept that.
   * @param meanwhile runs while no server runs
   */
  async restore(meanwhile: () => Promise<void>): Promise<void> {
    await this.running.close();
    await meanwhile();
    const refused = await run(this.engines, this.settings, this.options).then(
      () => 'it was not refused',
      (error: unknown) => String(error),
    );
    const settings = { ...this.settings, ANNALS_ACCEPT_RESTORED_LOG: rootToAccept(refused) };
    this.running = await run(this.engines, settings, this.options);
  }

  async stop(): Promise<void> {
    await this.close();
    await this.engines.remove();
  }

  /** Closes the server, and keeps the engines. */
  close(): Promise<void> {
    return this.running.close();
  }

  private member(id: number, credentials: Credentials): Member {
    const annals = this;
    return {
      id,
      ...credentials,
      get api() {
        return annals.api.as(credentials);
      },
    };
  }
}

/** The root of the checkpoint that a refused start names. */
export function rootToAccept(refusal: string): string {
  const root = /^StartRefused: the log contradicts the checkpoint of .* --accept-restored-log (\S+) /.exec(
    refusal,
  )?.[1];
  if (root === undefined) throw new Error(`the log was not refused: ${refusal}`);
  return root;
}

async function run(
  { environment }: OwnEngines,
  settings: Readonly<Record<string, string>>,
  options: StartOptions,
): Promise<RunningServer> {
  const server = await startServer(
    readConfig(
      'start',
      {},
      {
        ANNALS_LOG_LEVEL: 'error',
        ANNALS_PORT: '0',
        // Accesses are appended a second later, in the midst of what a spec counts. Specs about them turn them on.
        ANNALS_ACCESS_DAYS: '0',
        ...UNGREETED,
        ...(options.keepsDocuments === false ? {} : PATIENT),
        ...settings,
        ...environment,
      },
    ),
    options,
  );
  const { readSide } = server;
  await eventually(() => {
    const health = { ready: readSide.ready(), projections: readSide.status() };
    if (!isCaughtUp(health)) throw new Error(`the documents have not caught up: ${JSON.stringify(health)}`);
  }, CATCH_UP_TIMEOUT_MS);
  return server;
}
