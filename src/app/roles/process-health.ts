import type { DirectoryFollower } from '../../directory/directory-follower.js';
import type { ProcessRegistry } from '../../platform/cluster/process-registry.js';
import type { DamagedFiles } from '../../platform/file-store/damaged-file.js';
import type { Gate } from '../../platform/http/gate.js';
import type { EventStore } from '../../platform/log/event-store.js';
import { type ReportWithoutFigures, wholeMilliseconds } from '../health/health.js';
import type { FollowersWatch } from './followers-watch.js';
import type { ReadSide } from './read-side.js';
import type { Worker } from './worker.js';

const MOST_SHOWN = 20;

/** Health of a process that answers clients. */
export class ServerHealth {
  constructor(
    private readonly readSide: ReadSide,
    private readonly directory: DirectoryFollower,
    private readonly gate: Gate,
    private readonly files: DamagedFiles,
    private readonly eventStore: Pick<EventStore, 'knownHead'>,
  ) {}

  report(): ReportWithoutFigures {
    const { readSide, directory, gate, files, eventStore } = this;
    return {
      ready: gate.isOpen && readSide.ready() && directory.isFresh(),
      // On shared engines, the directory hears of each event.
      logEnd: eventStore.knownHead ?? directory.directory.position,
      engines: {
        log: { reachable: directory.isConfirmed(), answeredMsAgo: wholeMilliseconds(directory.age()) },
        documents: readSide.documents(),
      },
      projections: readSide.status(),
      damagedFiles: files.damaged.slice(0, MOST_SHOWN),
      ...readSide.followers(),
    };
  }
}

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
