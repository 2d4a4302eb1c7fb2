import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type { ContentKeys } from '../../src/platform/content-keys/content-keys.js';
import type { DocumentStore } from '../../src/platform/documents/document-store.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import { EventCodec, type EventRegistry } from '../../src/platform/log/event-codec.js';
import type { EventStore } from '../../src/platform/log/event-store.js';
import type { Projection } from '../../src/platform/read-models/projection.js';
import type { Stall } from './attempts.js';
import { decodeBatch } from './decode-batch.js';
import { Generation } from './generation.js';
import { type Page, PipelinedBuild } from './pipelined-build.js';
import { projectionError } from './projection-record.js';
import type { BuildFailure, BuildProgress } from './rebuild-protocol.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';

export interface RebuildEngines {
  readonly eventStore: EventStore;
  readonly contentKeys: ContentKeys;
  readonly documentStore: DocumentStore;
  readonly eventRegistry: EventRegistry;
}

export interface Build {
  readonly projection: Projection;
  /** Name of the database to fill. */
  readonly database: string;
}

/** Events in a transaction: many, because no query waits for these databases. */
const BATCH = 5000;
const REPORT_EVERY_MS = 200;

/** Fills databases from one reading of the log, to its end, then closes them. A failed build is left out. */
export async function rebuild(
  engines: RebuildEngines,
  builds: readonly Build[],
  report: (progress: BuildProgress) => void,
): Promise<readonly BuildFailure[]> {
  const { eventStore, documentStore } = engines;
  const codec = new EventCodec(engines.contentKeys, engines.eventRegistry);
  const types = [...new Set(builds.flatMap(({ projection }) => Object.keys(projection.on)))];
  const meter = new Meter(
    builds.map(({ projection }) => projection.name),
    report,
  );
  const failures: BuildFailure[] = [];
  let pipelines = await Promise.all(
    builds.map(async ({ projection, database }) => {
      const onStall = (stall: Stall | null): void => meter.stalled(projection.name, stall);
      const generation = await retryWhileUnavailable(
        () => Generation.create(documentStore, projection, database),
        onStall,
      );
      return new PipelinedBuild(generation, onStall);
    }),
  );
  /** A failed pipeline is left out of the next steps. */
  const each = async (step: (pipeline: PipelinedBuild) => Promise<void>): Promise<void> => {
    const failed = new Set<PipelinedBuild>();
    const attempt = async (pipeline: PipelinedBuild): Promise<void> => {
      try {
        await step(pipeline);
      } catch (error) {
        failed.add(pipeline);
        const { generation } = pipeline;
        failures.push({ projection: generation.projection.name, error: projectionError(error, Date.now()) });
        await generation.close();
      }
    };
    await Promise.all(pipelines.map(attempt));
    pipelines = pipelines.filter((pipeline) => !failed.has(pipeline));
  };

  const read = async (after: Position): Promise<Page> => {
    const onStall = (stall: Stall | null): void => meter.stalled('the log', stall);
    const page = await retryWhileUnavailable(
      () => eventStore.readAll({ after, limit: BATCH, filter: { types } }),
      onStall,
    );
    return { ...page, batch: await retryWhileUnavailable(() => decodeBatch(codec, page.events), onStall) };
  };
  let next: Promise<Page> | null = read(START);
  while (next && pipelines.length > 0) {
    const page: Page = await next;
    // The next page is read while this page is applied.
    next = page.caughtUp ? null : read(page.position);
    // The next turn of the loop throws its error.
    next?.catch(() => {});
    await each((pipeline) => pipeline.take(page));
    await meter.passed(page.events.length, page.position, () => eventStore.head());
    // Lets the message to stop in: an embedded engine leaves the event loop no turn.
    await setImmediate();
  }
  await each((pipeline) => pipeline.finish());
  return failures;
}

/** Reports the speed of a rebuild and the time left, now and then; and at once if it makes no headway. */
class Meter {
  private readonly started = performance.now();
  private reported = Number.NEGATIVE_INFINITY;
  private done = 0;
  private last: Omit<BuildProgress, 'projections' | 'stall'> = {
    done: 0,
    total: 0,
    eventsPerSecond: 0,
    secondsLeft: null,
    position: START,
    head: START,
  };
  /** By projection, or the log. */
  private readonly stalls = new Map<string, Stall>();

  constructor(
    private readonly projections: readonly string[],
    private readonly report: (progress: BuildProgress) => void,
  ) {}

  async passed(events: number, position: Position, head: () => Promise<Position>): Promise<void> {
    this.done += events;
    const now = performance.now();
    if (now - this.reported < REPORT_EVERY_MS) return;
    this.reported = now;
    const end = Math.max(position, await retryWhileUnavailable(head));
    const total = position > START ? Math.max(this.done, Math.round((this.done * end) / position)) : this.done;
    const seconds = (now - this.started) / 1000;
    const eventsPerSecond = seconds > 0 ? this.done / seconds : 0;
    const secondsLeft = eventsPerSecond > 0 && total > this.done ? (total - this.done) / eventsPerSecond : null;
    this.last = { done: this.done, total, eventsPerSecond, secondsLeft, position, head: end };
    this.tell();
  }

  /** @param what a projection that fails again and again at the page at hand, or the log; null: it goes on */
  stalled(what: string, stall: Stall | null): void {
    if (stall) this.stalls.set(what, { ...stall, message: `${what}: ${stall.message}` });
    else this.stalls.delete(what);
    this.tell();
  }

  private tell(): void {
    const [stall = null] = this.stalls.values();
    this.report({ projections: this.projections, ...this.last, stall });
  }
}
