import { performance } from 'node:perf_hooks';
import type { ContentKeys } from '../../src/content-keys/content-keys.js';
import type { DocumentStore } from '../../src/document-store/document-store.js';
import { EventCodec } from '../../src/event-codec/event-codec.js';
import type { Batch, EventStore } from '../../src/event-store/event-store.js';
import { BackOff } from '../../src/kernel/back-off.js';
import { type Position, START } from '../../src/kernel/position.js';
import type { Projection } from '../projection.js';
import { type DecodedBatch, decodeBatch, isPassing } from './decode-batch.js';
import { Generation } from './generation.js';
import { projectionError } from './projection-record.js';
import type { BuildFailure, BuildProgress } from './rebuild-protocol.js';

export interface RebuildEngines {
  readonly eventStore: EventStore;
  readonly contentKeys: ContentKeys;
  readonly documentStore: DocumentStore;
}

export interface Build {
  readonly projection: Projection;
  /** Name of the database to fill. */
  readonly database: string;
}

/** A stretch of the log. */
interface Page extends Batch {
  readonly batch: DecodedBatch;
}

/** One transaction each: large, nobody else waits for these databases. */
const BATCH = 5000;
const REPORT_EVERY_MS = 200;

/**
 * Fills databases from the log, reading it once for all of them, until nothing lies behind; then closes them. A
 * projection that fails is left out of the rest.
 */
export async function rebuild(
  engines: RebuildEngines,
  builds: readonly Build[],
  report: (progress: BuildProgress) => void,
): Promise<readonly BuildFailure[]> {
  const { eventStore, documentStore } = engines;
  const codec = new EventCodec(engines.contentKeys);
  const types = [...new Set(builds.flatMap(({ projection }) => Object.keys(projection.on)))];
  const meter = new Meter(
    builds.map(({ projection }) => projection.name),
    report,
  );
  const failures: BuildFailure[] = [];
  let filling = await Promise.all(
    builds.map(({ projection, database }) => persist(() => Generation.create(documentStore, projection, database))),
  );

  const read = async (after: Position): Promise<Page> => {
    const page = await persist(() => eventStore.readAll({ after, limit: BATCH, filter: { types } }));
    return { ...page, batch: await persist(() => decodeBatch(codec, page.events)) };
  };
  let next: Promise<Page> | null = read(START);
  while (next && filling.length > 0) {
    const page: Page = await next;
    // While it is applied, what comes after it is read.
    next = page.caughtUp ? null : read(page.position);
    // Whoever takes it is told.
    next?.catch(() => {});
    const failed = new Set<Generation>();
    const fill = async (generation: Generation): Promise<void> => {
      try {
        await apply(generation, page.batch, page.position);
      } catch (error) {
        failed.add(generation);
        failures.push({ projection: generation.projection.name, error: projectionError(error, Date.now()) });
        await generation.close();
      }
    };
    await Promise.all(filling.map(fill));
    filling = filling.filter((generation) => !failed.has(generation));
    await meter.passed(page.events.length, page.position, () => eventStore.head());
  }

  for (const generation of filling) {
    await persist(() => generation.storeCheckpoint());
    await generation.close();
  }
  return failures;
}

async function apply(generation: Generation, batch: DecodedBatch, upTo: Position): Promise<void> {
  let interrupted = false;
  await persist(async () => {
    if (interrupted) await generation.recover();
    interrupted = true;
    await generation.apply(batch, upTo);
  });
}

/** Again and again while an engine is away. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  const backOff = new BackOff();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await backOff.wait();
    }
  }
}

/** Tells now and then how fast it goes and how long it will take. */
class Meter {
  private readonly started = performance.now();
  private reported = Number.NEGATIVE_INFINITY;
  private done = 0;

  constructor(
    private readonly projections: readonly string[],
    private readonly report: (progress: BuildProgress) => void,
  ) {}

  async passed(events: number, position: Position, head: () => Promise<Position>): Promise<void> {
    this.done += events;
    const now = performance.now();
    if (now - this.reported < REPORT_EVERY_MS) return;
    this.reported = now;
    const end = Math.max(position, await persist(head));
    const total = position > START ? Math.max(this.done, Math.round((this.done * end) / position)) : this.done;
    const seconds = (now - this.started) / 1000;
    const eventsPerSecond = seconds > 0 ? this.done / seconds : 0;
    this.report({
      projections: this.projections,
      done: this.done,
      total,
      eventsPerSecond,
      secondsLeft: eventsPerSecond > 0 ? (total - this.done) / eventsPerSecond : null,
      position,
      head: end,
    });
  }
}
