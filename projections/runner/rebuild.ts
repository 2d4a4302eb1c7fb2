import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type { ContentKeys } from '../../src/content-keys/content-keys.js';
import type { DocumentStore } from '../../src/document-store/document-store.js';
import { EventCodec } from '../../src/event-codec/event-codec.js';
import type { EventStore } from '../../src/event-store/event-store.js';
import { type Position, START } from '../../src/kernel/position.js';
import type { Projection } from '../projection.js';
import { decodeBatch } from './decode-batch.js';
import { Filling, type Page } from './filling.js';
import { Generation } from './generation.js';
import { persist } from './persist.js';
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
  let fillings = await Promise.all(
    builds.map(async ({ projection, database }) => {
      const generation = await persist(() => Generation.create(documentStore, projection, database));
      return new Filling(generation);
    }),
  );
  /** Who fails is left out of the rest. */
  const each = async (step: (filling: Filling) => Promise<void>): Promise<void> => {
    const failed = new Set<Filling>();
    const attempt = async (filling: Filling): Promise<void> => {
      try {
        await step(filling);
      } catch (error) {
        failed.add(filling);
        const { generation } = filling;
        failures.push({ projection: generation.projection.name, error: projectionError(error, Date.now()) });
        await generation.close();
      }
    };
    await Promise.all(fillings.map(attempt));
    fillings = fillings.filter((filling) => !failed.has(filling));
  };

  const read = async (after: Position): Promise<Page> => {
    const page = await persist(() => eventStore.readAll({ after, limit: BATCH, filter: { types } }));
    return { ...page, batch: await persist(() => decodeBatch(codec, page.events)) };
  };
  let next: Promise<Page> | null = read(START);
  while (next && fillings.length > 0) {
    const page: Page = await next;
    // While it is applied, what comes after it is read.
    next = page.caughtUp ? null : read(page.position);
    // Whoever takes it is told.
    next?.catch(() => {});
    await each((filling) => filling.take(page));
    await meter.passed(page.events.length, page.position, () => eventStore.head());
    // An embedded engine leaves the event loop no turn, and who asks for a stop waits for one.
    await setImmediate();
  }
  await each((filling) => filling.finish());
  return failures;
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
