import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ProjectionRunner } from '../projections/runner/projection-runner.js';
import { AppModule } from './app.module.js';
import { type BootstrapResult, bootstrap } from './bootstrap.js';
import { type Config, siteUrl } from './config/config.js';
import { openEngines } from './config/open-engines.js';
import { Directory } from './directory/directory.js';
import { DirectoryFollower } from './directory/directory-follower.js';
import { configureHttp } from './http/configure-http.js';
import { Gate } from './http/gate.js';
import { createHttpAdapter } from './http/http-adapter.js';
import { NestLog } from './http/nest-log.js';
import { ProcessManagers } from './process-managers/process-managers.js';

export interface RunningServer {
  /** Where it listens. */
  readonly url: string;
  readonly app: NestFastifyApplication;
  readonly bootstrap: BootstrapResult;
  /** Answers what it has accepted, then lets go of everything. */
  close(): Promise<void>;
}

export interface StartOptions {
  /** Other engines than the settings name: for tests that put faults between the program and its disk. */
  readonly open?: typeof openEngines;
  /** Called while projections are being built, before the server can answer. */
  readonly onBuilding?: (runner: ProjectionRunner) => void;
}

/** @throws LogRefused, ConfigRefused, Error with code EADDRINUSE: nothing is left running */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  const engines = await (options.open ?? openEngines)({ dataDirectory: config.dataDirectory });
  let site = config.site ?? '';
  const http = { rateLimit: config.rateLimit, logLevel: config.logLevel };
  const adapter = createHttpAdapter(http);
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  closers.push(() => engines.close());

  try {
    const app = await NestFactory.create<NestFastifyApplication>(
      AppModule.for(config, engines, http, () => site),
      adapter,
      {
        logger: new NestLog(adapter.getInstance().log),
        abortOnError: false,
      },
    );
    configureHttp(app, { outside: ['health'] });
    const runner = app.get(ProjectionRunner);
    const follower = app.get(DirectoryFollower);
    const processManagers = app.get(ProcessManagers);

    // 1. Read models, from where they were; what a crash left undone; then the door.
    closers.push(() => runner.close());
    options.onBuilding?.(runner);
    await runner.start();
    closers.push(() => follower.close());
    await follower.start();
    closers.push(() => processManagers.close());
    await processManagers.start();
    await app.init();
    closers.push(() => app.close());

    // 2. The organisation, where there is none.
    await app.listen(config.port, config.host);
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = siteUrl({ site: null, host: config.host }, port);
    site = siteUrl(config, port);
    const result = await bootstrap(app.get(CommandBus), app.get(Directory), {
      organization: config.organization,
      ownerEmail: config.ownerEmail,
      ownerName: config.ownerName,
      ownerPassword: config.ownerPassword ?? undefined,
      credentialsFile: join(config.dataDirectory, 'owner.zuliprc'),
      site,
    });
    app.get(Gate).open();
    return { url, app, bootstrap: result, close };
  } catch (error) {
    await close().catch((failure) => new Logger('Start').error(failure));
    throw error;
  }
}
