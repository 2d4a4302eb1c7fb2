import { type Health, type HealthReport, wholeMilliseconds } from '../health/health.js';
import type { ProcessRegistry } from '../processes/process-registry.js';
import type { LogWatch } from './log-watch.js';
import type { Worker } from './worker.js';

/** Of a process that keeps projections. */
export class WorkerHealth implements Health {
  constructor(
    private readonly logWatch: LogWatch,
    private readonly registry: ProcessRegistry,
    private readonly worker: Worker,
  ) {}

  report(): HealthReport {
    const log = { reachable: this.logWatch.isReachable(), answeredMsAgo: wholeMilliseconds(this.logWatch.age()) };
    const documents = { reachable: this.registry.isAlive(), answeredMsAgo: wholeMilliseconds(this.registry.age()) };
    return {
      ready: log.reachable && documents.reachable && this.worker.ready(),
      engines: { log, documents },
      projections: this.worker.status(),
    };
  }
}
