import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { type BootstrapResult, bootstrap } from './bootstrap.js';
import { type Config, siteUrl } from './config/config.js';
import { openEngines } from './config/open-engines.js';
import { DirectoryFollower } from './directory/directory-follower.js';
import { configureHttp } from './http/configure-http.js';
import { Gate } from './http/gate.js';
import { createHttpAdapter } from './http/http-adapter.js';
import { NestLog } from './http/nest-log.js';
import { Closers } from './kernel/closers.js';
import { openServerParts } from './roles/open-server-parts.js';
import type { ReadSide } from './roles/read-side.js';
import { FILE_ROUTES_OUTSIDE } from './uploads/http/routes.js';

export interface RunningServer {
  /** Where it listens. */
  readonly url: string;
  readonly app: NestFastifyApplication;
  readonly readSide: ReadSide;
  readonly bootstrap: BootstrapResult;
  /** Resolves when it cannot go on, with the reason: nobody is answered any more, and it is to be closed. */
  readonly lost: Promise<string>;
  /** Answers what it has accepted, then lets go of everything. */
  close(): Promise<void>;
}

export interface StartOptions {
  /** False: only answers clients, and leaves it to other processes to keep the documents. Default true. */
  readonly keepsDocuments?: boolean;
  /** Other engines than the settings name: for tests that put faults between the program and its disk. */
  readonly open?: typeof openEngines;
  /** Called while projections are being built, before the server can answer. */
  readonly onBuilding?: (readSide: ReadSide) => void;
}

/** Connections that a crowd has made and that are still to be taken: the kernel has a bound of its own, too. */
const BACKLOG = 16_384;

/** @throws LogRefused, StartRefused, ConfigRefused, Error with code EADDRINUSE: nothing is left running */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  const { keepsDocuments = true, open = openEngines } = options;
  let site = config.site ?? '';
  const { rateLimit, logLevel, trustedProxies } = config;
  const http = { rateLimit, logLevel, trustProxy: trustedProxies ?? (false as const) };
  const adapter = createHttpAdapter(http);
  const closers = new Closers();
  try {
    const parts = await openServerParts(config, { keepsDocuments, open, closers });
    const { readSide, organization, logMark } = parts;
    const app = await NestFactory.create<NestFastifyApplication>(
      AppModule.for(config, parts, http, () => site),
      adapter,
      {
        logger: new NestLog(adapter.getInstance().log),
        abortOnError: false,
      },
    );
    configureHttp(app, { outside: ['health', 'health/live', 'health/ready', ...FILE_ROUTES_OUTSIDE] });
    const follower = app.get(DirectoryFollower);

    // 1. Read models, from where they were; what a crash left undone; then the door.
    closers.keep(readSide);
    options.onBuilding?.(readSide);
    await readSide.start();
    closers.keep(follower);
    await follower.start();
    await readSide.startReactions();
    await app.init();
    closers.keep(app);

    // 2. The organisation, where there is none.
    await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = siteUrl({ site: null, host: config.host }, port);
    site = siteUrl(config, port);
    const result = await bootstrap(app.get(CommandBus), follower, {
      organization: config.organization,
      ownerEmail: config.ownerEmail,
      ownerName: config.ownerName,
      ownerPassword: config.ownerPassword ?? undefined,
      credentialsFile: join(config.dataDirectory, 'owner.zuliprc'),
      site,
    });
    await organization.claim();
    const gate = app.get(Gate);
    gate.open(() => logMark.isInDoubt);
    void logMark.lost.then(() => gate.shut());
    return { url, app, readSide, bootstrap: result, lost: logMark.lost, close: () => closers.close() };
  } catch (error) {
    await closers.close().catch((failure) => new Logger('Start').error(failure));
    throw error;
  }
}
