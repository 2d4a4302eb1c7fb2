import { setTimeout as pause } from 'node:timers/promises';
import type { Collection, StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Position } from '../../src/platform/kernel/position.js';
import type { AheadOfDocuments } from '../../src/platform/read-models/ahead-of-documents.js';
import type { Projection } from '../../src/platform/read-models/projection.js';
import type { ReadModels } from '../../src/platform/read-models/read-models.js';
import type { Stall } from './attempts.js';
import type { LiveProjection } from './live-projection.js';
import type { ProjectionError, ProjectionState } from './projection-record.js';
import type { BuildProgress } from './rebuild-protocol.js';

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  readonly state: ProjectionState | 'stalled';
  /** The database that queries read; null before the first build is done. */
  readonly database: string | null;
  readonly position: Position;
  /** The documents are of today's version and follow the end of the log. */
  readonly upToDate: boolean;
  /** Why it has failed, or why it or its build makes no headway: then `at` is the time of the first failure. */
  readonly error: ProjectionError | null;
  /** Why the last build has failed, until another one begins. */
  readonly buildError: ProjectionError | null;
  /** Progress of the build under way. */
  readonly progress: BuildProgress | null;
  /** Time of entering `state`; milliseconds since 1970. */
  readonly changedAt: number;
}

const PAUSE_MS = 25;

/** Positions by which answers may be ahead of the documents. */
const MOST_AHEAD = 512;

/** @param position after which the next event could not be applied */
const stalledError = ({ message, since }: Stall, position: Position | null): ProjectionError => ({
  message,
  position,
  eventId: null,
  eventType: null,
  at: since,
});

/** The projections as this process's queries see them. This or another process keeps their documents. */
export class LiveProjections implements ReadModels, AheadOfDocuments {
  private readonly byName = new Map<string, LiveProjection>();

  /**
   * @param longestWait longest wait of `waitFor`: ms
   * @param onAwaited called when somebody begins to wait
   */
  constructor(
    private readonly longestWait: number,
    private readonly onAwaited: () => void = () => {},
  ) {}

  /** Somebody waits for documents. */
  get areAwaited(): boolean {
    return this.all().some(({ isAwaited }) => isAwaited);
  }

  add(live: LiveProjection): void {
    this.byName.set(live.name, live);
  }

  delete(name: string): void {
    this.byName.delete(name);
  }

  /** @throws Error for an unknown name */
  get(name: string): LiveProjection {
    const live = this.byName.get(name);
    if (!live) throw new Error(`there is no projection ${name}`);
    return live;
  }

  all(): LiveProjection[] {
    return [...this.byName.values()];
  }

  collection<D extends StoredDocument>(projection: Projection, name: string, freshness?: 'as stored'): Collection<D> {
    const live = this.get(projection.name);
    return live.collection<D>(name, () => (freshness === 'as stored' ? null : this.acknowledged([live])));
  }

  position(projection: Projection): Position {
    return this.get(projection.name).position;
  }

  waitFor(projections: readonly Projection[], position: Position): Promise<void> {
    return new Promise((resolve) => {
      let missing = 0;
      const reached = (): void => {
        missing--;
        if (missing === 0) finish();
      };
      const waits = projections.flatMap(({ name }) => this.get(name).await(position, reached) ?? []);
      missing = waits.length;
      if (missing === 0) return resolve();
      this.onAwaited();
      const timer = setTimeout(() => {
        for (const giveUp of waits) giveUp();
        finish();
      }, this.longestWait);
      const finish = (): void => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async acknowledge(projections: readonly Projection[], position: Position): Promise<void> {
    for (const { name } of projections) this.get(name).acknowledge(position);
    await this.waitFor(projections, position - MOST_AHEAD);
  }

  acknowledged(lives: readonly LiveProjection[] = this.all()): Promise<void> | null {
    const behind = lives.filter(({ isBehindAnswers }) => isBehindAnswers);
    return behind.length === 0 ? null : this.reachAnswers(behind);
  }

  /**
   * Whether no documents hold content deleted up to the position. Replaced documents must be removed, because nothing
   * is deleted in them.
   * @param longest milliseconds after which the answer is false
   * @param isLiveEnough does not wait for builds under way: readers of their documents wait for that
   */
  async areRidOf(
    position: Position,
    projections: readonly Projection[],
    longest: number,
    isLiveEnough = false,
  ): Promise<boolean> {
    const until = performance.now() + longest;
    const isRid = (live: LiveProjection): boolean => live.isRidOf(position) && (isLiveEnough || !live.isBeingBuilt);
    const are = (): boolean => projections.every(({ name }) => isRid(this.get(name)));
    while (!are()) {
      if (performance.now() >= until) return false;
      await this.waitFor(projections, position);
      if (!are()) await pause(PAUSE_MS);
    }
    return true;
  }

  onApplied(projection: Projection, listener: (position: Position) => void): () => void {
    return this.get(projection.name).onApplied(listener);
  }

  status(isUpToDate: (live: LiveProjection) => boolean): ProjectionStatus[] {
    return this.all().map((live) => {
      const { projection, record, position, progress } = live;
      const stall = live.stall ?? progress?.stall ?? null;
      return {
        name: projection.name,
        version: projection.version,
        state: live.stall && record.state === 'running' ? 'stalled' : record.state,
        database: record.live?.name ?? null,
        position,
        upToDate: isUpToDate(live),
        error: record.error ?? (stall && stalledError(stall, live.stall ? position : (progress?.position ?? null))),
        buildError: record.buildError ?? null,
        progress,
        changedAt: record.changedAt,
      };
    });
  }

  private async reachAnswers(behind: readonly LiveProjection[]): Promise<void> {
    const position = Math.max(...behind.map(({ answeredTo }) => answeredTo));
    await this.waitFor(
      behind.map(({ projection }) => projection),
      position,
    );
    for (const live of behind) if (live.position < position) live.stopAwaiting();
  }
}
