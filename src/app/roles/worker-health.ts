import type { ProcessRegistry } from '../../platform/cluster/process-registry.js';
import type { ProcessMeter } from '../../platform/meter/process-meter.js';
import { type Health, type HealthReport, wholeMilliseconds } from '../health/health.js';
import type { FollowersWatch } from './followers-watch.js';
import type { Worker } from './worker.js';

/** Health of a process that keeps projections. */
export class WorkerHealth implements Health {
  constructor(
    private readonly registry: ProcessRegistry,
    private readonly worker: Worker,
    private readonly followersWatch: FollowersWatch,
    private readonly meter: ProcessMeter,
  ) {}

  report(): HealthReport {
    const { registry, worker } = this;
    const { logWatch } = worker;
    const log = { reachable: logWatch.isReachable(), answeredMsAgo: wholeMilliseconds(logWatch.age()) };
    const documents = { reachable: registry.isAlive(), answeredMsAgo: wholeMilliseconds(registry.age()) };
    return {
      ready: log.reachable && documents.reachable && worker.ready(),
      logEnd: logWatch.head,
      engines: { log, documents },
      projections: worker.status(),
      // A worker serves no files.
      damagedFiles: [],
      process: this.meter.figures(),
      ...this.followersWatch.report,
    };
  }
}
