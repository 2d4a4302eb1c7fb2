import type { ProcessRegistry } from '../../platform/cluster/process-registry.js';
import { type ReportWithoutFigures, wholeMilliseconds } from '../health/health.js';
import type { FollowersWatch } from './followers-watch.js';
import type { Worker } from './worker.js';

/** Health of a process that keeps projections. */
export class WorkerHealth {
  constructor(
    private readonly registry: ProcessRegistry,
    private readonly worker: Worker,
    private readonly followersWatch: FollowersWatch,
  ) {}

  report(): ReportWithoutFigures {
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
      ...this.followersWatch.report,
    };
  }
}
