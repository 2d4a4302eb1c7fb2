import { performance } from 'node:perf_hooks';
import type { Bus } from '../../src/platform/bus/bus.js';
import type { Collection, DocumentStore, StoredDocument } from '../../src/platform/documents/document-store.js';
import { ANSWER_WAIT_MS } from '../../src/platform/kernel/answer-wait.js';
import { awakeNow, withTimeout } from '../../src/platform/kernel/awake-time.js';
import type { JsonObject } from '../../src/platform/kernel/json.js';
import { Mutex } from '../../src/platform/kernel/mutex.js';
import { PeriodicTask } from '../../src/platform/kernel/periodic-task.js';
import type { Position } from '../../src/platform/kernel/position.js';
import type { Projection } from '../../src/platform/read-models/projection.js';
import type { ReadModels } from '../../src/platform/read-models/read-models.js';
import { type Announcement, announcementIn, PROJECTIONS_TOPIC } from './announcement.js';
import { Generation } from './generation.js';
import { LiveProjection } from './live-projection.js';
import { LiveProjections, type ProjectionStatus } from './live-projections.js';
import { type ProjectionRecord, replacedIn, unbuilt } from './projection-record.js';
import { Registry } from './registry.js';

interface AnnouncedReadModelsOptions {
  readonly documentStore: DocumentStore;
  readonly bus: Bus;
  readonly projections: readonly Projection[];
  /**
   * The log's head as this process knows it: documents at this position are up to date. Their position is read further
   * only while somebody waits for a later one.
   */
  readonly head: () => Position;
  readonly report: (error: unknown) => void;
  /** Milliseconds between two reads of the registry, which make up for lost announcements; default 1000. */
  readonly refreshEvery?: number;
  /** Milliseconds for which documents may be read after the last read of the registry; default 5000. */
  readonly freshFor?: number;
  /** Longest wait of `waitFor`: ms; default 2000. */
  readonly longestWait?: number;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

/** Longest wait for a fresh read of the registry, by a slow store or a stalled process: awake milliseconds. */
const LONGEST_FRESHENING = 5000;

/**
 * Read models whose documents another process keeps, or another part of this one. The live database and its position
 * are announced over the bus, and read from the registry now and then. A process that cannot read the registry for a
 * while refuses to read documents: the database it knows may have been replaced and removed.
 */
export class AnnouncedReadModels implements ReadModels {
  private readonly lives: LiveProjections;
  private readonly clock: () => number;
  private readonly stops: (() => void)[] = [];
  private registry: Registry | undefined;
  private refreshedAt = Number.NEGATIVE_INFINITY;
  private readonly turns = new Mutex();
  private looking: Promise<void> | undefined;
  private lastFailure: unknown;
  /** Projections whose position was announced since the last read of the registry. */
  private heard = new Set<LiveProjection>();
  private readonly refreshing: PeriodicTask;

  constructor(private readonly options: AnnouncedReadModelsOptions) {
    this.clock = options.clock ?? (() => performance.now());
    const { refreshEvery = 1000, report } = options;
    this.refreshing = new PeriodicTask({ every: refreshEvery, work: () => this.refresh().catch(report) });
    this.lives = new LiveProjections(options.longestWait ?? ANSWER_WAIT_MS);
    for (const projection of options.projections) {
      const live = new LiveProjection(
        projection,
        unbuilt(projection, Date.now()),
        (_generation, error) => options.report(error),
        () => {},
        { isFresh: () => this.isFresh(), refresh: () => this.freshen(), failure: () => this.lastFailure },
      );
      this.lives.add(live);
    }
  }

  /** Resolves when the live databases are known, if there are any. @throws DocumentStoreUnavailable */
  async start(): Promise<void> {
    const { bus, documentStore } = this.options;
    this.registry = await Registry.open(documentStore);
    const again = (): void => {
      this.heard.clear();
      // A new read: one under way may have begun before the gap.
      void this.lookAround().catch(this.options.report);
    };
    this.stops.push(
      bus.subscribe(PROJECTIONS_TOPIC, (message) => this.hear(message)),
      bus.onGap(again),
    );
    await this.refresh();
    this.refreshing.start();
  }

  collection<D extends StoredDocument>(projection: Projection, name: string): Collection<D> {
    return this.lives.collection<D>(projection, name);
  }

  position(projection: Projection): Position {
    return this.lives.position(projection);
  }

  waitFor(projections: readonly Projection[], position: Position): Promise<void> {
    return this.lives.waitFor(projections, position);
  }

  areRidOf(position: Position, projections: readonly Projection[], longest: number): Promise<boolean> {
    return this.lives.areRidOf(position, projections, longest);
  }

  onApplied(projection: Projection, listener: (position: Position) => void): () => void {
    return this.lives.onApplied(projection, listener);
  }

  /** The live databases were confirmed at most `freshFor` ms ago. */
  isFresh(): boolean {
    return this.age() < (this.options.freshFor ?? 5000);
  }

  /** Milliseconds since the last read of the registry. */
  age(): number {
    return this.clock() - this.refreshedAt;
  }

  /** The error with which the last read of the registry failed; undefined if it did not. */
  failure(): unknown {
    return this.lastFailure;
  }

  /** Every projection has documents of today's version to read. */
  ready(): boolean {
    return this.isFresh() && this.lives.all().every(({ generation }) => generation !== null);
  }

  status(): ProjectionStatus[] {
    const head = this.options.head();
    return this.lives.status((live) => live.isFollowing && live.position >= head);
  }

  async close(): Promise<void> {
    for (const stop of this.stops.splice(0)) stop();
    await this.refreshing.stop();
    await this.turns.idle();
    for (const { generation } of this.lives.all()) await generation?.close();
    await this.registry?.close();
  }

  /** Awaits nothing for the most frequent announcement: progress of the open documents. */
  private hear(message: JsonObject): void {
    for (const live of this.lives.all()) {
      const announcement = announcementIn(message, live.name);
      if (!announcement || isOutdated(announcement.record, live.record)) continue;
      this.heard.add(live);
      if (announcement.record.live?.name === live.generation?.name) this.advance(live, announcement);
      else void this.turns.run(() => this.adopt(live, announcement.record)).catch(this.options.report);
    }
  }

  private advance(live: LiveProjection, { record, position, progress, stall = null }: Announcement): void {
    if (isOther(record, live.record)) live.record = record;
    if (progress !== null || live.progress !== null) live.progress = progress;
    if (stall?.since !== live.stall?.since) live.stall = stall;
    reached(live, position);
  }

  /** Reads the registry, once for all callers meanwhile. */
  private refresh(): Promise<void> {
    this.looking ??= this.lookAround().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async lookAround(): Promise<void> {
    try {
      await this.turns.run(async () => {
        const startedAt = this.clock();
        const { heard } = this;
        this.heard = new Set();
        const records = await this.registry?.all();
        await Promise.all(this.lives.all().map((live) => this.lookUp(live, records?.get(live.name), heard.has(live))));
        this.refreshedAt = startedAt;
      });
      this.lastFailure = undefined;
    } catch (error) {
      this.lastFailure = error;
      throw error;
    }
  }

  /** Reads the registry again if it is only late, because the store or this process was busy. */
  private async freshen(): Promise<void> {
    const until = awakeNow() + LONGEST_FRESHENING;
    while (!this.isFresh() && this.lastFailure === undefined && !this.refreshing.isStopped && awakeNow() < until) {
      const late = (): Error => new Error('the registry of documents could not be read in time');
      // `refreshing` reports failures. Callers ask `isFresh`.
      await withTimeout(this.refresh(), until - awakeNow(), late).catch(() => {});
    }
  }

  /** @param isHeard its position was announced a moment ago, so that it need not be read */
  private async lookUp(live: LiveProjection, record: ProjectionRecord | undefined, isHeard: boolean): Promise<void> {
    if (!record || isOutdated(record, live.record)) return;
    await this.adopt(live, record);
    const { generation } = live;
    if (isHeard || !generation || generation.name !== record.live?.name) return;
    // A wait can be for an event that is newer than the head that this process knows.
    if (live.position >= this.options.head() && !live.isAwaited) return;
    const position = await generation.database.checkpoint();
    if (position !== null) reached(live, position);
  }

  /** Switches to the record's live database if its position is not behind the database read now. */
  private async adopt(live: LiveProjection, record: ProjectionRecord): Promise<void> {
    const before = live.generation;
    if (record.live?.name === before?.name) {
      live.record = record;
      return;
    }
    if (record.live?.version !== live.projection.version) {
      // Another version of Annals keeps the documents: the database read now will be removed.
      await live.hide(record)?.close();
      return;
    }
    const generation = await this.open(live, record.live.name);
    if (!generation) return;
    if (before && generation.position < before.position) return generation.close();
    live.switchTo(generation, record);
    await before?.close();
  }

  /** null if the database does not exist: a removed database is not created again. */
  private async open({ projection }: LiveProjection, name: string): Promise<Generation | null> {
    const { documentStore } = this.options;
    if (!(await documentStore.databases()).includes(name)) return null;
    return Generation.open(documentStore, projection, name);
  }
}

/** The record comes from a process that has lost the projection's lease and does not know it yet. */
const isOutdated = (record: ProjectionRecord, known: ProjectionRecord): boolean =>
  (record.token ?? 0) < (known.token ?? 0);

const isOther = (record: ProjectionRecord, known: ProjectionRecord): boolean =>
  record.changedAt !== known.changedAt ||
  record.state !== known.state ||
  replacedIn(record).length !== replacedIn(known).length;

function reached(live: LiveProjection, position: Position): void {
  const { generation } = live;
  if (!generation || position <= generation.position) return;
  generation.position = position;
  live.advanced();
}
