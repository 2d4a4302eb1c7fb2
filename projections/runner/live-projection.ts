import { Logger } from '@nestjs/common';
import type { DocumentsUnusable, StoredDocument } from '../../src/document-store/document-store.js';
import { UnavailableError } from '../../src/kernel/domain-error.js';
import { type Position, START } from '../../src/kernel/position.js';
import { PositionWaiters } from '../../src/kernel/position-waiters.js';
import type { Projection } from '../projection.js';
import type { Generation } from './generation.js';
import { type Knowledge, LiveCollection } from './live-collection.js';
import { type ProjectionRecord, replacedIn } from './projection-record.js';
import type { BuildProgress } from './rebuild-protocol.js';

const ALWAYS_KNOWN: Knowledge = { isKnown: () => true, lookUp: async () => {} };

/** One projection in this process: the generation that queries read, and who waits for it. */
export class LiveProjection {
  private readonly log = new Logger('Projections');
  private ofBuild: BuildProgress | null = null;
  private current: Generation | null = null;
  private readonly listeners = new Set<(position: Position) => void>();
  private readonly waiters = new PositionWaiters();

  /**
   * @param unusable called where a query finds the documents damaged
   * @param changed called whenever its record, its position or its progress have
   * @param known whether what is live is still known; where only this process keeps it, it is
   */
  constructor(
    readonly projection: Projection,
    private kept: ProjectionRecord,
    private readonly unusable: (generation: Generation, error: DocumentsUnusable) => void,
    private readonly changed: () => void = () => {},
    private readonly known: Knowledge = ALWAYS_KNOWN,
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

  /** Of the build that is under way. */
  get progress(): BuildProgress | null {
    return this.ofBuild;
  }

  set progress(progress: BuildProgress | null) {
    this.ofBuild = progress;
    this.changed();
  }

  /** What queries read, always of today's version; null while there is none. */
  get generation(): Generation | null {
    return this.current;
  }

  get position(): Position {
    return this.current?.position ?? START;
  }

  /** Its live documents follow the log: worth waiting for. */
  get isFollowing(): boolean {
    return this.current !== null && this.kept.error === null;
  }

  collection<D extends StoredDocument>(name: string): LiveCollection<D> {
    // What is not known may be looked up by whoever reads.
    if (this.known.isKnown()) this.readable();
    return new LiveCollection<D>(
      name,
      () => this.readable(),
      this.known,
      (generation, error) => this.unusable(generation, error),
    );
  }

  /** Queries read this one from now on. */
  show(generation: Generation, record: ProjectionRecord): void {
    this.current = generation;
    this.record = record;
    this.advanced();
  }

  /** There is nothing to read any more. @returns what was read until now */
  hide(record: ProjectionRecord): Generation | null {
    const before = this.current;
    this.current = null;
    this.record = record;
    return before;
  }

  /** Tells whoever listens or waits how far it is. */
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
    // A function of its own, so that the same listener can be given twice.
    const own = (position: Position): void => listener(position);
    this.listeners.add(own);
    return () => this.listeners.delete(own);
  }

  /** Its documents have come as far, and those that they have replaced are not there any more. */
  isRidOf(position: Position): boolean {
    return this.position >= position && replacedIn(this.kept).length === 0;
  }

  /** Documents are being made of the log that may have words which were deleted since they were read. */
  get isBeingBuilt(): boolean {
    return this.kept.building !== null;
  }

  /** @returns the way to give up, or null where there is nothing to wait for */
  await(position: Position, reached: () => void): (() => void) | null {
    if (!this.isFollowing || this.position >= position) return null;
    return this.waiters.add(position, reached);
  }

  /** @throws UnavailableError */
  private readable(): Generation {
    if (!this.known.isKnown()) throw new UnavailableError(`which documents of ${this.name} are live is not known`);
    if (this.current) return this.current;
    const why = this.kept.state === 'failed' ? 'has failed' : 'is being built';
    throw new UnavailableError(`${this.name} ${why}`);
  }
}
