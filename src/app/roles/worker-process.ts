import 'reflect-metadata';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { MESSAGES_STREAM } from '../../events/messages/messages.events.js';
import { openEngines } from '../../platform/engines/open-engines.js';
import { createHttpAdapter } from '../../platform/http/http-adapter.js';
import { NestLog } from '../../platform/http/nest-log.js';
import { plainRefusal, sendPlainly } from '../../platform/http/plain-answer.js';
import { edgeAnswer } from '../../platform/http/refusal-answer.js';
import { Closers } from '../../platform/kernel/closers.js';
import { ProcessMeter } from '../../platform/meter/process-meter.js';
import { type Config, siteUrl } from '../config/config.js';
import { crossOrigin, pages } from '../features.js';
import { Front } from '../health/front.js';
import { withFigures } from '../health/health.js';
import { FollowersWatch } from './followers-watch.js';
import { joinAsWorker, openProcessParts } from './open-server-parts.js';
import { WorkerHealth } from './process-health.js';
import { refusedIfUnreadable } from './skipped-events.js';
import { TreeAtTheEnd } from './tree-at-the-end.js';
import type { Worker } from './worker.js';

interface RunningWorker {
  /** URL of its health endpoints. */
  readonly url: string;
  readonly worker: Worker;
  /** Resolves when the worker cannot go on: the log is another one. */
  readonly lost: Promise<string>;
  /** Finishes the batches at hand, and gives the leases back. */
  close(): Promise<void>;
}

/**
 * Starts a process that keeps projections and answers no clients. @throws StartRefused and the like: nothing is left
 * running
 */
export async function startWorker(config: Config, open: typeof openEngines = openEngines): Promise<RunningWorker> {
  const closers = new Closers();
  const adapter = createHttpAdapter({ rateLimit: 0, logLevel: config.logLevel, pages });
  Logger.overrideLogger(closers.own(new NestLog(adapter.getInstance().log)));
  try {
    const front = new Front({ pages, crossOrigin, details: true });
    closers.add(() => adapter.closePort());
    const port = await adapter.openPort(
      { port: config.port, host: config.host },
      (request, response) => front.answer(request, response) || answerNotFound(request, response),
    );
    const parts = await openProcessParts(config, open, closers, () => siteUrl(config, port));
    const { registry, worker } = await joinAsWorker(parts, 'projections', () => null);
    closers.own(registry);
    const treeAtTheEnd = closers.own(new TreeAtTheEnd(parts, registry));

    const followersWatch = new FollowersWatch(parts.engines.documentStore);
    closers.own(followersWatch);
    const meter = closers.own(new ProcessMeter({ messages: MESSAGES_STREAM }));
    const health = withFigures(new WorkerHealth(registry, worker, followersWatch), meter);
    front.report(health);
    if (config.metrics) {
      const { openWorkerMetrics } = await import('../metrics/open-metrics.js');
      const measured = { health, dataDirectory: config.dataDirectory };
      closers.own(await openWorkerMetrics(config.metrics, measured));
    }
    closers.own(worker);
    await worker.start();
    treeAtTheEnd.start();
    followersWatch.start();
    front.open();
    return {
      url: siteUrl({ site: null, host: config.host }, port),
      worker,
      lost: parts.logLineage.lost,
      close: () => closers.close(),
    };
  } catch (error) {
    await closers.close().catch((failure) => new Logger('Start').error(failure));
    throw refusedIfUnreadable(error);
  }
}

/** A worker has no paths but those of health. */
function answerNotFound(request: IncomingMessage, response: ServerResponse): true {
  sendPlainly(request, response, plainRefusal(edgeAnswer('NOT_FOUND'), pages.has(request.url ?? '/')));
  return true;
}
