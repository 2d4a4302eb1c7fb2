import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CommandRunner } from '../command-runner/command-runner.js';
import { type Config, siteUrl } from '../config/config.js';
import { prepareDataDirectory } from '../config/data-directory.js';
import { engineSettingsOf } from '../config/engine-settings.js';
import { openEngines } from '../config/open-engines.js';
import { openMailer } from '../config/open-mailer.js';
import { EventCodec } from '../event-codec/event-codec.js';
import { HEALTH, type Health } from '../health/health.js';
import { HealthModule } from '../health/health.module.js';
import { createHttpAdapter } from '../http/http-adapter.js';
import { NestLog } from '../http/nest-log.js';
import { Closers } from '../kernel/closers.js';
import type { ProcessRegistry } from '../processes/process-registry.js';
import { LogWatch } from './log-watch.js';
import { joinProcesses, markLog } from './open-server-parts.js';
import { OrganizationIdentity } from './organization-identity.js';
import { Worker } from './worker.js';
import { WorkerHealth } from './worker-health.js';

export interface RunningWorker {
  /** Where it tells how it is. */
  readonly url: string;
  readonly worker: Worker;
  /** Resolves when it cannot go on: the log is another one. */
  readonly lost: Promise<string>;
  /** Finishes the batches at hand, and gives back what it kept. */
  close(): Promise<void>;
}

/** Has health endpoints and nothing else. */
@Module({})
class WorkerModule {
  static for(health: Health): DynamicModule {
    return {
      module: WorkerModule,
      global: true,
      imports: [HealthModule],
      providers: [{ provide: HEALTH, useValue: health }],
      exports: [HEALTH],
    };
  }
}

/** Keeps projections and answers no client. @throws StartRefused and the like: nothing is left running */
export async function startWorker(config: Config, open: typeof openEngines = openEngines): Promise<RunningWorker> {
  const settings = engineSettingsOf(config);
  const closers = new Closers();
  try {
    await prepareDataDirectory(config.dataDirectory);
    const engines = await open(settings);
    closers.keep(engines);
    const organization = new OrganizationIdentity(engines, settings);
    await organization.check();
    const codec = new EventCodec(engines.contentKeys);
    const commandRunner = new CommandRunner(engines.eventStore, engines.contentKeys, codec);
    const logMark = await markLog(engines, commandRunner, true, closers);
    let worker: Worker | null = null;
    const registry: ProcessRegistry = await joinProcesses(engines, 'projections', {
      directory: () => null,
      keeps: () => worker?.canKeep() ?? false,
      onLapse: () => worker?.lapsed(),
    });
    closers.keep(registry);
    const logWatch = new LogWatch(engines.eventStore);
    worker = new Worker({ engines, settings, codec, commandRunner, registry, logWatch, mailer: openMailer(config) });
    const keeps = worker;

    const health = new WorkerHealth(logWatch, registry, keeps);
    const adapter = createHttpAdapter({ rateLimit: 0, logLevel: config.logLevel });
    const app = await NestFactory.create<NestFastifyApplication>(WorkerModule.for(health), adapter, {
      logger: new NestLog(adapter.getInstance().log),
      abortOnError: false,
    });
    closers.keep(keeps);
    await keeps.start();
    closers.keep(app);
    await app.listen(config.port, config.host);
    const { port } = app.getHttpServer().address() as AddressInfo;
    return {
      url: siteUrl({ site: null, host: config.host }, port),
      worker: keeps,
      lost: logMark.lost,
      close: () => closers.close(),
    };
  } catch (error) {
    await closers.close().catch((failure) => new Logger('Start').error(failure));
    throw error;
  }
}
