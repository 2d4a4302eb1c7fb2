import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { type Fence, Fenced } from '../../src/platform/cluster/fence.js';
import type { ContentKeys } from '../../src/platform/content-keys/content-keys.js';
import type { DocumentStore } from '../../src/platform/documents/document-store.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import { EventCodec, type EventRegistry } from '../../src/platform/log/event-codec.js';
import type { EventStore } from '../../src/platform/log/event-store.js';
import type { Projection } from '../../src/platform/read-models/projection.js';
import type { Stall } from './attempts.js';
import { decodeBatch, isTransient } from './decode-batch.js';
import { Generation } from './generation.js';
import { openBuilt } from './open-built.js';
import { type DecodedPage, PipelinedBuild, retryWhileUnavailable } from './pipelined-build.js';
import { projectionError } from './projection-record.js';
import type { BuildFailure, BuildProgress } from './rebuild-protocol.js';
import { MOST_IN_LARGE_TRANSACTION, MOST_IN_TRANSACTION } from './write-size.js';

interface RebuildEngines {
  readonly eventStore: EventStore;
  readonly contentKeys: ContentKeys;
  readonly documentStore: DocumentStore;
  readonly eventRegistry: EventRegistry;
  /** Places of events that are passed over: see `EventCodec`. */
  readonly skipped?: ReadonlySet<string>;
}

export interface Build {
  readonly projection: Projection;
  /** Name of the database to fill. */
  readonly database: string;
  /** An earlier process has begun to fill the database: go on, if that is possible. */
  readonly goesOn?: boolean;
  /** The fence of the projection's lease, if several processes may fill the database. */
  readonly fence?: Fence | undefined;
}

/** Events in a page, of up to `BATCH_BYTES`. Three pages are in memory: read, worked out and written. */
const BATCH = 2000;
const REPORT_EVERY_MS = 200;

/**
 * Fills databases from one reading of the log, to its end, then closes them. The reading begins at the least of their
 * checkpoints. A failed build is left out.
 *
 * @param warn hears why an unfinished database is begun anew
 */
export async function rebuild(
  engines: RebuildEngines,
  builds: readonly Build[],
  report: (progress: BuildProgress) => void,
  warn: (line: string) => void,
): Promise<readonly BuildFailure[]> {
  const { eventStore, documentStore } = engines;
  const codec = new EventCodec(engines.contentKeys, engines.eventRegistry, engines.skipped);
  const types = [...new Set(builds.flatMap(({ projection }) => Object.keys(projection.on)))];
  const meter = new Meter(
    builds.map(({ projection }) => projection.name),
    report,
  );
  const onLogStall = (stall: Stall | null): void => meter.stalled('the log', stall);
  const head = await retryWhileUnavailable(() => eventStore.head(), onLogStall);
  const failures: BuildFailure[] = [];
  let pipelines = await Promise.all(
    builds.map(async (build) => {
      const onStall = (stall: Stall | null): void => meter.stalled(build.projection.name, stall);
      const generation = await retryWhileUnavailable(() => generationFor(build, documentStore, head, warn), onStall);
      return new PipelinedBuild(generation, onStall);
    }),
  );
  const start = Math.min(...pipelines.map(({ generation }) => generation.position));
  meter.startAt(start);
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

  const read = async (after: Position): Promise<DecodedPage> => {
    const page = await retryWhileUnavailable(
      () => eventStore.readAll({ after, limit: BATCH, filter: { types } }),
      onLogStall,
    );
    return { ...page, batch: await retryWhileUnavailable(() => decodeBatch(codec, page.events), onLogStall) };
  };
  let next: Promise<DecodedPage> | null = read(start);
  while (next && pipelines.length > 0) {
    const page: DecodedPage = await next;
    // The next page is read while this page is applied.
    next = page.caughtUp ? null : read(page.position);
    // The next turn of the loop throws its error.
    next?.catch(() => {});
    await each((pipeline) => pipeline.apply(page));
    await meter.passed(page.events.length, page.position, () => eventStore.head());
    // Lets the message to stop in: an embedded engine leaves the event loop no turn.
    await setImmediate();
  }
  await each((pipeline) => pipeline.finish());
  return failures;
}

/** The unfinished generation that the build goes on with, or an empty one. */
async function generationFor(
  { projection, database: name, goesOn, fence }: Build,
  store: DocumentStore,
  head: Position,
  warn: (line: string) => void,
): Promise<Generation> {
  const most = store.takesLargeTransactions ? MOST_IN_LARGE_TRANSACTION : MOST_IN_TRANSACTION;
  const unfinished = goesOn ? await openBuilt({ store, projection, name, head, fence, most, warn }) : null;
  try {
    await unfinished?.goOn();
    if (unfinished) return unfinished;
  } catch (error) {
    await unfinished?.close();
    if (isTransient(error) || error instanceof Fenced) throw error;
    warn(`${name} is begun anew: ${String(error)}`);
  }
  return Generation.create(store, projection, name, fence, most);
}

/** Reports the speed of a rebuild and the time left, now and then; and at once if it makes no headway. */
class Meter {
  private readonly started = performance.now();
  private reported = Number.NEGATIVE_INFINITY;
  private start = START;
  /** Estimated number of events that an earlier process has applied; null before the first page. */
  private earlier: number | null = null;
  /** Number of events that this process has applied. */
  private applied = 0;
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

  /** @param position up to which an earlier process has applied the log */
  startAt(position: Position): void {
    this.start = position;
    this.last = { ...this.last, position, head: position };
  }

  async passed(events: number, position: Position, head: () => Promise<Position>): Promise<void> {
    this.applied += events;
    this.earlier ??= position > this.start ? Math.round((events * this.start) / (position - this.start)) : 0;
    const now = performance.now();
    if (now - this.reported < REPORT_EVERY_MS) return;
    this.reported = now;
    const end = Math.max(position, await retryWhileUnavailable(head));
    const done = this.earlier + this.applied;
    const total = position > START ? Math.max(done, Math.round((done * end) / position)) : done;
    const seconds = (now - this.started) / 1000;
    const eventsPerSecond = seconds > 0 ? this.applied / seconds : 0;
    const secondsLeft = eventsPerSecond > 0 && total > done ? (total - done) / eventsPerSecond : null;
    this.last = { done, total, eventsPerSecond, secondsLeft, position, head: end };
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
