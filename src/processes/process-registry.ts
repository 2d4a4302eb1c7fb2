import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, DocumentDatabase, DocumentStore } from '../document-store/document-store.js';
import { awakeNow } from '../kernel/awake-time.js';
import type { Position } from '../kernel/position.js';
import { PROCESSES_DATABASE, type ProcessDocument, type ProcessRole, processCollections } from './process.documents.js';

export interface ProcessRegistryOptions {
  readonly documentStore: DocumentStore;
  readonly role: ProcessRole;
  /** How far this process's directory is; null where it has none. */
  readonly directory: () => Position | null;
  /** Whether it can keep documents just now, as far as the log is concerned; default: where its role is to keep them. */
  readonly keeps?: () => boolean;
  /** Milliseconds between two beats; default 500. */
  readonly beatEvery?: number;
  /** Milliseconds after its last beat for which a process counts as alive; default 3000. */
  readonly aliveFor?: number;
  /** The process could not be heard of by others for too long: what it held may be another's now. */
  readonly onLapse: () => void;
  readonly report: (error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

interface Observed {
  readonly beat: number;
  /** When this beat was first seen, on this process's clock. */
  readonly since: number;
}

/** Left for so long, a process's document is removed by whoever sees it. */
const FORGOTTEN_AFTER_MS = 60_000;
const MOST_PROCESSES = 10_000;
/** A process stops counting on itself before the others stop counting on it: its timers may be late. */
const SAFETY = 0.8;

/**
 * The processes that run on the same engines, this one among them (D8). Each raises a number; a process whose number
 * stands still for too long is dead, or is at least not serving: it counts its own last successful beat by the same measure,
 * from before it was sent, and so gives up first.
 */
export class ProcessRegistry {
  readonly id: string = randomUUID();
  private readonly clock: () => number;
  private readonly aliveFor: number;
  private readonly observed = new Map<string, Observed>();
  private readonly stopping = new AbortController();
  private beat = 0;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  /** When the others had heard of it again after it was not alive. */
  private since = Number.POSITIVE_INFINITY;
  /** Of the beat that is under way, in awake time. */
  private beganBeatAt = Number.POSITIVE_INFINITY;
  private hasFailed = false;
  private lapsed = true;
  private beating: Promise<void> = Promise.resolve();

  private constructor(
    private readonly database: DocumentDatabase,
    private readonly options: ProcessRegistryOptions,
  ) {
    this.clock = options.clock ?? (() => performance.now());
    this.aliveFor = options.aliveFor ?? 3000;
  }

  /** The others know of this process when it resolves: before it reads anything that it will answer from. */
  static async open(options: ProcessRegistryOptions): Promise<ProcessRegistry> {
    const database = await options.documentStore.database(PROCESSES_DATABASE);
    await database.ensure(processCollections);
    const registry = new ProcessRegistry(database, options);
    await registry.beatOnce();
    registry.beating = registry.keepBeating();
    return registry;
  }

  /** The others still count on this process. */
  isAlive(): boolean {
    return this.clock() - this.confirmedAt < this.aliveFor * SAFETY;
  }

  /**
   * Since when the others have counted on this process without a break, by the clock; null: they do not. What it knew
   * from before may lack what they have done without it.
   */
  knownSince(): number | null {
    return this.isAlive() ? this.since : null;
  }

  /** The documents do not answer; it is not only that its beat is late because the process was busy. */
  isCutOff(): boolean {
    return this.hasFailed || awakeNow() - this.beganBeatAt > this.aliveFor;
  }

  /** Milliseconds since this process was last known to be heard of. */
  age(): number {
    return this.clock() - this.confirmedAt;
  }

  /** Other processes, as they are in the documents now, that may be serving. @throws DocumentStoreUnavailable */
  async peers(): Promise<readonly ProcessDocument[]> {
    await this.look();
    return this.seen.filter(({ _id }) => _id !== this.id && !this.isGone(_id));
  }

  /** Whether a process has ended, or stands still so long that it holds nothing any more; as of the last look. */
  isGone(id: string): boolean {
    if (id === this.id) return false;
    const observed = this.observed.get(id);
    return observed === undefined || this.clock() - observed.since > this.aliveFor;
  }

  /** Other processes that can keep documents, alive at the last look. */
  countOtherKeepers(): number {
    const keepers = this.seen.filter(({ role, keeps }) => keeps ?? role !== 'api');
    return keepers.filter(({ _id }) => _id !== this.id && !this.isGone(_id)).length;
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.beating;
    await this.processes()
      .deleteOne({ _id: this.id })
      .catch((error: unknown) => this.options.report(error));
  }

  private seen: readonly ProcessDocument[] = [];

  private async keepBeating(): Promise<void> {
    const { signal } = this.stopping;
    const { beatEvery = 500, onLapse, report } = this.options;
    while (!signal.aborted) {
      await sleep(beatEvery, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      // Told before it counts as alive again: whoever slept for long wakes up without what it held.
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
  }

  private async beatOnce(): Promise<void> {
    const startedAt = this.clock();
    const { role, directory, keeps = () => role !== 'api' } = this.options;
    this.beat++;
    const document: ProcessDocument = {
      _id: this.id,
      role,
      beat: this.beat,
      directory: directory(),
      keeps: keeps(),
    };
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
