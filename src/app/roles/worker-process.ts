import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openEngines } from '../../platform/engines/open-engines.js';
import { createHttpAdapter } from '../../platform/http/http-adapter.js';
import { NestLog } from '../../platform/http/nest-log.js';
import { Closers } from '../../platform/kernel/closers.js';
import { type Config, siteUrl } from '../config/config.js';
import { HEALTH, type Health } from '../health/health.js';
import { HealthModule } from '../health/health.module.js';
import { joinAsWorker, openProcessParts } from './open-server-parts.js';
import { PassedOverWatch } from './passed-over-watch.js';
import type { Worker } from './worker.js';
import { WorkerHealth } from './worker-health.js';

export interface RunningWorker {
  /** URL of its health endpoints. */
  readonly url: string;
  readonly worker: Worker;
  /** Resolves when the worker cannot go on: the log is another one. */
  readonly lost: Promise<string>;
  /** Finishes the batches at hand, and gives the leases back. */
  close(): Promise<void>;
}

/** The module of a worker: health endpoints and nothing else. */
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

/**
 * Starts a process that keeps projections and answers no clients. @throws StartRefused and the like: nothing is left
 * running
 */
export async function startWorker(config: Config, open: typeof openEngines = openEngines): Promise<RunningWorker> {
  const closers = new Closers();
  try {
    const parts = await openProcessParts(config, open, closers, () => siteUrl(config, config.port));
    const { registry, worker } = await joinAsWorker(parts, 'projections', () => null);
    closers.keep(registry);

    const passedOverWatch = new PassedOverWatch(parts.engines.documentStore);
    closers.keep(passedOverWatch);
    const health = new WorkerHealth(registry, worker, passedOverWatch);
    const adapter = createHttpAdapter({ rateLimit: 0, logLevel: config.logLevel });
    const app = await NestFactory.create<NestFastifyApplication>(WorkerModule.for(health), adapter, {
      logger: new NestLog(adapter.getInstance().log),
      abortOnError: false,
    });
    closers.keep(worker);
    await worker.start();
    passedOverWatch.start();
    closers.keep(app);
    await app.listen(config.port, config.host);
    const { port } = app.getHttpServer().address() as AddressInfo;
    return {
      url: siteUrl({ site: null, host: config.host }, port),
      worker,
      lost: parts.logLineage.lost,
      close: () => closers.close(),
    };
  } catch (error) {
    await closers.close().catch((failure) => new Logger('Start').error(failure));
    throw error;
  }
}
