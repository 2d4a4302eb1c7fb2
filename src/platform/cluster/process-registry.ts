import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Collection, DocumentDatabase, DocumentStore } from '../documents/document-store.js';
import { awakeNow } from '../kernel/awake-time.js';
import { PeriodicTask } from '../kernel/periodic-task.js';
import type { Position } from '../kernel/position.js';
import { PROCESSES_DATABASE, type ProcessDocument, type ProcessRole, processCollections } from './process.documents.js';

export interface ProcessRegistryOptions {
  readonly documentStore: DocumentStore;
  readonly role: ProcessRole;
  /** Position of this process's directory; null if it has none. */
  readonly directory: () => Position | null;
  /** Tells whether this process can keep documents now, as far as the log is concerned. Default: by its role. */
  readonly keeps?: () => boolean;
  /** Milliseconds between two beats; default 500. */
  readonly beatEvery?: number;
  /** Milliseconds after its last beat for which a process counts as alive; default 3000. */
  readonly aliveFor?: number;
  /** Called when others could not hear of this process for too long: another process may hold its leases. */
  readonly onLapse: () => void;
  readonly report: (error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

interface Observed {
  readonly beat: number;
  /** Time of the first sight of this beat, on this process's clock. */
  readonly since: number;
}

/** Age without a beat after which any process removes a process's document. */
const FORGOTTEN_AFTER_MS = 60_000;
const MOST_PROCESSES = 10_000;
/** Part of `aliveFor` after which a process stops counting on itself, before the others do: its timers may be late. */
const SAFETY = 0.8;

/**
 * The processes on the same engines, this one among them (D8). Each raises a number. A process whose number stands
 * still for too long is dead, or at least does not serve: it measures its own last successful beat in the same way,
 * from before the beat was sent, and so gives up first.
 */
export class ProcessRegistry {
  readonly id: string = randomUUID();
  private readonly clock: () => number;
  private readonly aliveFor: number;
  private readonly observed = new Map<string, Observed>();
  private readonly beating: PeriodicTask;
  private beat = 0;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  /** Time at which this process counted as alive again. */
  private since = Number.POSITIVE_INFINITY;
  /** Awake time at which the current beat began. */
  private beganBeatAt = Number.POSITIVE_INFINITY;
  private hasFailed = false;
  private lapsed = true;

  private constructor(
    private readonly database: DocumentDatabase,
    private readonly options: ProcessRegistryOptions,
  ) {
    this.clock = options.clock ?? (() => performance.now());
    this.aliveFor = options.aliveFor ?? 3000;
    this.beating = new PeriodicTask({ every: options.beatEvery ?? 500, work: () => this.beatAgain() });
  }

  /** Resolves when the others know of this process. Must precede reads of anything that it answers from. */
  static async open(options: ProcessRegistryOptions): Promise<ProcessRegistry> {
    const database = await options.documentStore.database(PROCESSES_DATABASE);
    await database.ensure(processCollections);
    const registry = new ProcessRegistry(database, options);
    await registry.beatOnce();
    registry.beating.start();
    return registry;
  }

  /** Tells whether the others still count on this process. */
  isAlive(): boolean {
    return this.clock() - this.confirmedAt < this.aliveFor * SAFETY;
  }

  /**
   * Time since when the others have counted on this process without a break; null: they do not. Its knowledge from
   * before may lack their later changes.
   */
  knownSince(): number | null {
    return this.isAlive() ? this.since : null;
  }

  /**
   * Tells whether the document store does not answer. A beat that is late because the process was busy does not count.
   */
  isCutOff(): boolean {
    return this.hasFailed || awakeNow() - this.beganBeatAt > this.aliveFor;
  }

  /** Milliseconds since the last confirmed beat began. */
  age(): number {
    return this.clock() - this.confirmedAt;
  }

  /** Looks up the other processes that may be serving. @throws DocumentStoreUnavailable */
  async peers(): Promise<readonly ProcessDocument[]> {
    await this.look();
    return this.seen.filter(({ _id }) => _id !== this.id && !this.isGone(_id));
  }

  /** Tells whether a process has ended, or stands still for so long that it holds nothing; as of the last look. */
  isGone(id: string): boolean {
    if (id === this.id) return false;
    const observed = this.observed.get(id);
    return observed === undefined || this.clock() - observed.since > this.aliveFor;
  }

  /** Counts the other processes that can keep documents, alive at the last look. */
  countOtherKeepers(): number {
    const keepers = this.seen.filter(({ role, keeps }) => keeps ?? role !== 'api');
    return keepers.filter(({ _id }) => _id !== this.id && !this.isGone(_id)).length;
  }

  async close(): Promise<void> {
    await this.beating.stop();
    await this.processes()
      .deleteOne({ _id: this.id })
      .catch((error: unknown) => this.options.report(error));
  }

  private seen: readonly ProcessDocument[] = [];

  private async beatAgain(): Promise<void> {
    const { onLapse, report } = this.options;
    // This comes before it counts as alive again: a process that slept for long wakes up without its leases.
    if (!this.isAlive() && !this.lapsed) {
      this.lapsed = true;
      onLapse();
    }
    try {
      this.beganBeatAt = awakeNow();
      await this.beatOnce();
      this.hasFailed = false;
    } catch (error) {
      this.hasFailed = true;
      report(error);
    } finally {
      this.beganBeatAt = Number.POSITIVE_INFINITY;
    }
  }

  private async beatOnce(): Promise<void> {
    const startedAt = this.clock();
    const { role, directory, keeps = () => role !== 'api' } = this.options;
    this.beat++;
    const document: ProcessDocument = { _id: this.id, role, beat: this.beat, directory: directory(), keeps: keeps() };
    await this.processes().replaceOne({ _id: this.id }, document, { upsert: true });
    if (!this.isAlive()) this.since = this.clock();
    this.confirmedAt = startedAt;
    this.lapsed = false;
    await this.look();
  }

  private async look(): Promise<void> {
    const found = await this.processes().find({}, { sort: { _id: 1 }, limit: MOST_PROCESSES });
    const now = this.clock();
    const ids = new Set(found.map(({ _id }) => _id));
    for (const id of this.observed.keys()) if (!ids.has(id)) this.observed.delete(id);
    for (const { _id, beat } of found) {
      if (this.observed.get(_id)?.beat !== beat) this.observed.set(_id, { beat, since: now });
    }
    this.seen = found;
    const forgotten = found.filter(({ _id }) => now - (this.observed.get(_id)?.since ?? now) > FORGOTTEN_AFTER_MS);
    if (forgotten.length > 0) await this.processes().deleteMany({ _id: { $in: forgotten.map(({ _id }) => _id) } });
  }

  private processes(): Collection<ProcessDocument> {
    return this.database.collection<ProcessDocument>('processes');
  }
}
