import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '../event-store/event-store.js';
import { type Health, type HealthReport, wholeMilliseconds } from '../health/health.js';
import type { ProcessRegistry } from '../processes/process-registry.js';
import type { Worker } from './worker.js';

const ASK_EVERY_MS = 1000;
const REACHABLE_FOR_MS = 5000;

/** Of a process that keeps projections. It asks the log for its end now and then: a silent log and a dead one look alike. */
export class WorkerHealth implements Health {
  private readonly stopping = new AbortController();
  private answeredAt = Number.NEGATIVE_INFINITY;
  private asking: Promise<void> = Promise.resolve();

  constructor(
    private readonly eventStore: EventStore,
    private readonly registry: ProcessRegistry,
    private readonly worker: Worker,
  ) {}

  start(): void {
    this.asking = this.keepAsking();
  }

  report(): HealthReport {
    const logAge = performance.now() - this.answeredAt;
    const log = { reachable: logAge < REACHABLE_FOR_MS, answeredMsAgo: wholeMilliseconds(logAge) };
    const documents = { reachable: this.registry.isAlive(), answeredMsAgo: wholeMilliseconds(this.registry.age()) };
    return {
      ready: log.reachable && documents.reachable && this.worker.ready(),
      engines: { log, documents },
      projections: this.worker.status(),
    };
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.asking;
  }

  private async keepAsking(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const askedAt = performance.now();
      await this.eventStore.head().then(
        () => {
          this.answeredAt = askedAt;
        },
        // The report says so.
        () => {},
      );
      await sleep(ASK_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }
}
