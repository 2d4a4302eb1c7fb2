import 'reflect-metadata';
import { join, resolve } from 'node:path';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { openEngines } from '../platform/engines/open-engines.js';
import { configureHttp } from '../platform/http/configure-http.js';
import { Gate } from '../platform/http/gate.js';
import { createHttpAdapter } from '../platform/http/http-adapter.js';
import { NestLog } from '../platform/http/nest-log.js';
import { Closers } from '../platform/kernel/closers.js';
import { HEALTH } from '../platform/kernel/health-source.js';
import { measureRequests } from '../platform/meter/measured-requests.js';
import { ProcessMeter } from '../platform/meter/process-meter.js';
import { AppModule } from './app.module.js';
import { type BootstrapResult, bootstrap } from './bootstrap.js';
import { type Config, siteUrl } from './config/config.js';
import { crossOrigin, loadApis, outside, pages } from './features.js';
import { Front } from './health/front.js';
import type { Health } from './health/health.js';
import { beginEffects } from './roles/log-consumers.js';
import { openServerParts } from './roles/open-server-parts.js';
import type { ReadSide } from './roles/read-side.js';
import { refusedIfUnreadable } from './roles/skipped-events.js';

export interface RunningServer {
  /** URL that the server listens on. */
  readonly url: string;
  readonly app: NestFastifyApplication;
  readonly readSide: ReadSide;
  readonly bootstrap: BootstrapResult;
  /** Resolves with the reason when the server cannot go on: it answers no more requests, and must be closed. */
  readonly lost: Promise<string>;
  /** Records that an event is passed over: see `SkippingCodec`. */
  skip(place: string): Promise<void>;
  /** Answers the requests that it has accepted, then closes everything. */
  close(): Promise<void>;
}

export interface StartOptions {
  /** False: the server answers clients, and other processes keep the documents. Default true. */
  readonly keepsDocuments?: boolean;
  /** Opens other engines than the settings name: for tests that put faults between the program and its disk. */
  readonly open?: typeof openEngines;
  /** The caller shows a person the owner's random password. Otherwise it is in a file. */
  readonly showsPassword?: boolean;
  /** Called while projections are being built, before the server can answer. */
  readonly onBuilding?: (readSide: ReadSide) => void;
  /** Opens whatever has to be there when the first request is answered. It is closed before the server is. */
  readonly beforeAnswers?: (server: RunningServer) => Promise<{ close(): Promise<void> } | null>;
}

/** Connections that may wait to be accepted; the kernel has a bound of its own, too. */
const BACKLOG = 16_384;

/**
 * Starts a server. @throws LogRefused, StartRefused, ConfigRefused, Error with code EADDRINUSE: nothing is left running
 */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  const { keepsDocuments = true, open = openEngines } = options;
  const { rateLimit, logLevel, trustedProxies } = config;
  const http = { rateLimit, logLevel, trustProxy: trustedProxies ?? (false as const), pages, crossOrigin };
  const adapter = createHttpAdapter(http);
  const closers = new Closers();
  try {
    // 1. Listen: from now on, health is answered, and every other request is told to wait.
    const front = new Front(http);
    closers.add(() => adapter.closePort());
    const port = await adapter.openPort({ port: config.port, host: config.host, backlog: BACKLOG }, front.answer);
    const url = siteUrl({ site: null, host: config.host }, port);
    const site = siteUrl(config, port);

    const log = closers.own(new NestLog(adapter.getInstance().log));
    // What the engines' opening has to tell belongs to the one log, too.
    Logger.overrideLogger(log);

    // 2. Open the engines.
    const parts = await openServerParts(config, { keepsDocuments, open, closers, site: () => site });
    const { readSide, organization, logLineage, skip } = parts;
    const app = await NestFactory.create<NestFastifyApplication>(
      AppModule.for({ config, parts, apis: await loadApis(), http, site: () => site }),
      adapter,
      { logger: log, abortOnError: false },
    );
    configureHttp(app, {
      outside: [...outside, ...pages.routes],
      described: async () => (await import('./description/described-api.js')).describedApi(),
    });
    const follower = app.get(DirectoryFollower);

    const meter = closers.own(app.get(ProcessMeter));
    measureRequests(adapter.getInstance(), meter);
    const gate = app.get(Gate);
    const health = app.get<Health>(HEALTH);
    front.report(health);
    if (config.metrics) {
      const { openServerMetrics } = await import('./metrics/open-metrics.js');
      const measured = { health, dataDirectory: config.dataDirectory };
      closers.own(await openServerMetrics(config.metrics, measured, app));
    }

    // 3. Start the read models from their checkpoints, and finish work that a crash interrupted.
    closers.own(readSide);
    options.onBuilding?.(readSide);
    await readSide.start();
    closers.own(follower);
    await follower.start();
    await readSide.startConsequences(follower);
    await app.init();
    closers.own(app);
    await adapter.getInstance().ready();

    // 4. Create the organization if there is none, then answer requests.
    if (follower.directory.organization === null) await beginEffects(parts.engines.projectionStore);
    const result = await bootstrap(app.get(CommandBus), follower, {
      organization: config.organization,
      ownerEmail: config.ownerEmail,
      ownerName: config.ownerName,
      ownerPassword: config.ownerPassword ?? undefined,
      passwordMinLength: config.passwordMinLength,
      passwordFile: options.showsPassword ? null : resolve(config.dataDirectory, 'owner.password'),
      credentialsFile: join(config.dataDirectory, 'owner.zuliprc'),
      site,
    });
    await organization.claim();
    meter.start();
    const { lost } = logLineage;
    const server = { url, app, readSide, bootstrap: result, lost, skip, close: () => closers.close() };
    const beside = await options.beforeAnswers?.(server);
    if (beside) closers.own(beside);
    // Health says `ready` from here on: nothing is waited for before the first answer.
    gate.open(() => logLineage.isInDoubt);
    void lost.then(() => gate.shut());
    front.open();
    return server;
  } catch (error) {
    await closers.close().catch((failure) => new Logger('Start').error(failure));
    throw refusedIfUnreadable(error);
  }
}
