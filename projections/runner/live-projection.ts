import { Logger } from '@nestjs/common';
import type { DocumentsUnusable, StoredDocument } from '../../src/platform/documents/document-store.js';
import { NotBuiltYet, UnavailableError } from '../../src/platform/kernel/outcome-errors.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import { PositionWaiters } from '../../src/platform/kernel/position-waiters.js';
import type { Projection } from '../../src/platform/read-models/projection.js';
import type { Stall } from './attempts.js';
import type { Generation } from './generation.js';
import { type Freshness, LiveCollection } from './live-collection.js';
import { type ProjectionRecord, replacedIn } from './projection-record.js';
import type { BuildProgress } from './rebuild-protocol.js';

const ALWAYS_FRESH: Freshness = { isFresh: () => true, refresh: async () => {}, failure: () => undefined };

/** A projection in this process: the generation that queries read, and the waits for its progress. */
export class LiveProjection {
  private readonly log = new Logger('Projections');
  private ofBuild: BuildProgress | null = null;
  private current: Generation | null = null;
  private ofFollowing: Stall | null = null;
  private readonly listeners = new Set<(position: Position) => void>();
  private readonly waiters = new PositionWaiters();
  private answered: Position = START;

  /**
   * @param unusable called when a query finds the documents damaged
   * @param changed called at each change of the record, the position or the progress
   * @param freshness tells whether the live documents are still known; default: always
   */
  constructor(
    readonly projection: Projection,
    private kept: ProjectionRecord,
    private readonly unusable: (generation: Generation, error: DocumentsUnusable) => void,
    private readonly changed: () => void = () => {},
    private readonly freshness: Freshness = ALWAYS_FRESH,
  ) {}

  get name(): string {
    return this.projection.name;
  }

  get record(): ProjectionRecord {
    return this.kept;
  }

  set record(record: ProjectionRecord) {
    this.kept = record;
    if (!this.isFollowing) this.waiters.release();
    this.changed();
  }

  /** Progress of the build under way; null without one. */
  get progress(): BuildProgress | null {
    return this.ofBuild;
  }

  set progress(progress: BuildProgress | null) {
    this.ofBuild = progress;
    this.changed();
  }

  /** Set while the live documents fail again and again at their position. */
  get stall(): Stall | null {
    return this.ofFollowing;
  }

  set stall(stall: Stall | null) {
    this.ofFollowing = stall;
    if (!this.isFollowing) this.waiters.release();
    this.changed();
  }

  /** The generation that queries read, always of today's version; null before the first. */
  get generation(): Generation | null {
    return this.current;
  }

  get position(): Position {
    return this.current?.position ?? START;
  }

  /** The live documents follow the log: waiting for a position makes sense. */
  get isFollowing(): boolean {
    return this.current !== null && this.kept.error === null && this.ofFollowing === null;
  }

  /** @param caughtUp same as `LiveProjections.acknowledged`, of this projection */
  collection<D extends StoredDocument>(name: string, caughtUp: () => Promise<void> | null): LiveCollection<D> {
    // If the live documents are unknown, the read looks them up.
    if (this.freshness.isFresh()) this.readable();
    return new LiveCollection<D>(
      name,
      () => this.readable(),
      this.freshness,
      caughtUp,
      (generation, error) => this.unusable(generation, error),
    );
  }

  /** Commands up to the position are answered before the documents have their events. */
  acknowledge(position: Position): void {
    this.answered = Math.max(this.answered, position);
  }

  /** Commands up to this position may be answered already. */
  get answeredTo(): Position {
    return this.answered;
  }

  /** Readers wait for what was answered. */
  get isBehindAnswers(): boolean {
    return this.answered > this.position && this.isFollowing;
  }

  /** Readers have waited in vain: the next ones do not. */
  stopAwaiting(): void {
    this.answered = START;
  }

  /** Lets queries read this generation from now on. */
  switchTo(generation: Generation, record: ProjectionRecord): void {
    this.current = generation;
    this.ofFollowing = null;
    this.record = record;
    this.advanced();
  }

  /** Leaves queries without a generation. @returns the generation that they read until now */
  hide(record: ProjectionRecord): Generation | null {
    const before = this.current;
    this.current = null;
    this.record = record;
    return before;
  }

  /** Tells listeners and waits the position. */
  advanced(): void {
    const { position } = this;
    for (const listener of this.listeners) {
      try {
        listener(position);
      } catch (error) {
        this.log.error(`a listener of ${this.name} failed: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
    this.waiters.advance(position);
    this.changed();
  }

  onApplied(listener: (position: Position) => void): () => void {
    // A function of its own, so that the same listener can be added twice.
    const own = (position: Position): void => listener(position);
    this.listeners.add(own);
    return () => this.listeners.delete(own);
  }

  /** The documents have reached the position, and all replaced documents are removed. */
  isRidOf(position: Position): boolean {
    return this.position >= position && replacedIn(this.kept).length === 0;
  }

  /** A build is under way: its documents may hold content that was deleted since the build read it. */
  get isBeingBuilt(): boolean {
    return this.kept.building !== null;
  }

  /** Somebody waits for a later position. */
  get isAwaited(): boolean {
    return !this.waiters.isEmpty;
  }

  /** @returns a function that ends the wait; null if there is nothing to wait for */
  await(position: Position, reached: () => void): (() => void) | null {
    if (!this.isFollowing || this.position >= position) return null;
    return this.waiters.add(position, reached);
  }

  /** @throws UnavailableError */
  private readable(): Generation {
    if (!this.freshness.isFresh()) {
      const cause = this.freshness.failure();
      throw new UnavailableError(`which documents of ${this.name} are live is not known`, 1, { cause });
    }
    if (this.current) return this.current;
    if (this.kept.state === 'failed') throw new UnavailableError(`${this.name} has failed`);
    throw new NotBuiltYet(`${this.name} is being built`);
  }
}
