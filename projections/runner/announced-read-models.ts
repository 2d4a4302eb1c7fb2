import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../../src/bus/bus.js';
import type { Collection, DocumentStore, StoredDocument } from '../../src/document-store/document-store.js';
import { awakeNow } from '../../src/kernel/awake-time.js';
import type { JsonObject } from '../../src/kernel/json.js';
import type { Position } from '../../src/kernel/position.js';
import { within } from '../../src/kernel/within.js';
import type { Projection } from '../projection.js';
import { type Announcement, announcementIn, PROJECTIONS_TOPIC } from './announcement.js';
import { Generation } from './generation.js';
import { LiveProjection } from './live-projection.js';
import { LiveProjections, type ProjectionStatus } from './live-projections.js';
import { type ProjectionRecord, replacedIn, unbuilt } from './projection-record.js';
import type { ReadModels } from './read-models.js';
import { Registry } from './registry.js';

export interface AnnouncedReadModelsOptions {
  readonly documentStore: DocumentStore;
  readonly bus: Bus;
  readonly projections: readonly Projection[];
  /** Of the log, as this process knows it: documents that are as far have nothing new. */
  readonly head: () => Position;
  readonly report: (error: unknown) => void;
  /** Milliseconds between two looks at what is stored, for announcements that were lost; default 1000. */
  readonly refreshEvery?: number;
  /** Milliseconds after the last look for which the documents it named may be read; default 5000. */
  readonly freshFor?: number;
  /** Milliseconds that `waitFor` waits at most; default 2000. */
  readonly longestWait?: number;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

/** For a store that answers slowly, and for a process that was held up: awake milliseconds. */
const LONGEST_FRESHENING = 5000;

/**
 * Documents that other processes keep (or this one, by its other half): which database is live, and how far it is,
 * are announced over the bus, and looked up now and then. A process that cannot look up for a while reads nothing any
 * more: what it takes for live may have been replaced, and removed.
 */
export class AnnouncedReadModels implements ReadModels {
  private readonly lives: LiveProjections;
  private readonly clock: () => number;
  private readonly stopping = new AbortController();
  private readonly stops: (() => void)[] = [];
  private registry: Registry | undefined;
  private refreshedAt = Number.NEGATIVE_INFINITY;
  private turn: Promise<unknown> = Promise.resolve();
  private looking: Promise<void> | undefined;
  private hasFailed = false;
  private refreshing: Promise<void> = Promise.resolve();

  constructor(private readonly options: AnnouncedReadModelsOptions) {
    this.clock = options.clock ?? (() => performance.now());
    this.lives = new LiveProjections(options.longestWait ?? 2000);
    for (const projection of options.projections) {
      const live = new LiveProjection(
        projection,
        unbuilt(projection, Date.now()),
        (_generation, error) => options.report(error),
        () => {},
        { isKnown: () => this.isFresh(), lookUp: () => this.freshen() },
      );
      this.lives.add(live);
    }
  }

  /** Resolves when what is live is known; there may be nothing yet. @throws DocumentStoreUnavailable */
  async start(): Promise<void> {
    const { bus, documentStore } = this.options;
    this.registry = await Registry.open(documentStore);
    // A look that is under way may have begun before.
    const again = (): void => void this.lookAround().catch(this.options.report);
    this.stops.push(
      bus.subscribe(PROJECTIONS_TOPIC, (message) => this.hear(message)),
      bus.onGap(again),
    );
    await this.refresh();
    this.refreshing = this.keepRefreshing();
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

  /** What it takes for live has been live not longer than `freshFor` ago. */
  isFresh(): boolean {
    return this.age() < (this.options.freshFor ?? 5000);
  }

  /** Milliseconds since what is live was looked up last. */
  age(): number {
    return this.clock() - this.refreshedAt;
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
    this.stopping.abort();
    for (const stop of this.stops.splice(0)) stop();
    await this.refreshing;
    await this.turn;
    for (const { generation } of this.lives.all()) await generation?.close();
    await this.registry?.close();
  }

  /** Nothing is awaited for the most frequent news: the documents that are open have gone on. */
  private hear(message: JsonObject): void {
    for (const live of this.lives.all()) {
      const told = announcementIn(message, live.name);
      if (!told || isOutdated(told.record, live.record)) continue;
      if (told.record.live?.name === live.generation?.name) this.advance(live, told);
      else void this.inTurn(() => this.adopt(live, told.record)).catch(this.options.report);
    }
  }

  private advance(live: LiveProjection, { record, position, progress }: Announcement): void {
    if (isOther(record, live.record)) live.record = record;
    if (progress !== null || live.progress !== null) live.progress = progress;
    reached(live, position);
  }

  private async keepRefreshing(): Promise<void> {
    const { signal } = this.stopping;
    const { refreshEvery = 1000, report } = this.options;
    while (!signal.aborted) {
      await sleep(refreshEvery, undefined, { signal }).catch(() => {});
      if (!signal.aborted) await this.refresh().catch(report);
    }
  }

  /** Once for all who ask meanwhile. */
  private refresh(): Promise<void> {
    this.looking ??= this.lookAround().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async lookAround(): Promise<void> {
    try {
      await this.inTurn(async () => {
        const startedAt = this.clock();
        const records = await this.registry?.all();
        await Promise.all(this.lives.all().map((live) => this.lookUp(live, records?.get(live.name))));
        this.refreshedAt = startedAt;
      });
      this.hasFailed = false;
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }

  /** A store that is busy, or a process that was, is not one that is away: it is asked once more. */
  private async freshen(): Promise<void> {
    const until = awakeNow() + LONGEST_FRESHENING;
    while (!this.isFresh() && !this.hasFailed && !this.stopping.signal.aborted && awakeNow() < until) {
      const late = (): Error => new Error('what is live could not be looked up in time');
      // Who looks has it reported, and who waits is told that it is not known.
      await within(this.refresh(), until - awakeNow(), late).catch(() => {});
    }
  }

  private async lookUp(live: LiveProjection, record: ProjectionRecord | undefined): Promise<void> {
    if (!record || isOutdated(record, live.record)) return;
    await this.adopt(live, record);
    const { generation } = live;
    if (!generation || generation.name !== record.live?.name || live.position >= this.options.head()) return;
    const position = await generation.database.checkpoint();
    if (position !== null) reached(live, position);
  }

  /** Reads what the record names from now on, as soon as it is at least as far as what is read now. */
  private async adopt(live: LiveProjection, record: ProjectionRecord): Promise<void> {
    const before = live.generation;
    if (record.live?.name === before?.name) {
      live.record = record;
      return;
    }
    if (record.live?.version !== live.projection.version) {
      // Of another version of Annals: what was live here will be removed.
      await live.hide(record)?.close();
      return;
    }
    const generation = await this.open(live, record.live.name);
    if (!generation) return;
    if (before && generation.position < before.position) return generation.close();
    live.show(generation, record);
    await before?.close();
  }

  /** null where it is not there: nothing is made in the place of what was removed. */
  private async open({ projection }: LiveProjection, name: string): Promise<Generation | null> {
    const { documentStore } = this.options;
    if (!(await documentStore.databases()).includes(name)) return null;
    return Generation.open(documentStore, projection, name);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(work, work);
    this.turn = mine.catch(() => {});
    return mine;
  }
}

/** Told by a process that has lost the projection to another one, and does not know it yet. */
const isOutdated = (told: ProjectionRecord, known: ProjectionRecord): boolean => (told.token ?? 0) < (known.token ?? 0);

const isOther = (told: ProjectionRecord, known: ProjectionRecord): boolean =>
  told.changedAt !== known.changedAt ||
  told.state !== known.state ||
  replacedIn(told).length !== replacedIn(known).length;

function reached(live: LiveProjection, position: Position): void {
  const { generation } = live;
  if (!generation || position <= generation.position) return;
  generation.position = position;
  live.advanced();
}
