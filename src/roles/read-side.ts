import type { Projection } from '../../projections/projection.js';
import type { ProjectionStatus } from '../../projections/runner/live-projections.js';
import type { ReadModels } from '../../projections/runner/read-models.js';
import type { BuildProgress } from '../../projections/runner/rebuild-protocol.js';
import type { Standing } from '../directory/directory-follower.js';
import type { EngineHealth } from '../health/health.js';
import type { Position } from '../kernel/position.js';
import type { Reactions } from '../process-managers/reactions.js';

/** What follows from the log, as a process that answers clients knows it: kept by itself, or by others. */
export interface ReadSide {
  readonly readModels: ReadModels;
  readonly reactions: Reactions;

  /** Before anything is read that this process will answer from. */
  start(): Promise<void>;
  /** Once the directory knows who may do what. */
  startReactions(): Promise<void>;
  close(): Promise<void>;

  /** Where other processes wait for this one's directory, so that it may answer from it. */
  readonly standing: Standing | null;
  /** This process's directory has taken in a change. */
  directoryChanged(position: Position): void;
  /** Resolves when no process answers any more from before the position (D8). */
  passedEverywhere(position: Position): Promise<void>;

  /**
   * Resolves when the words of what was deleted up to the position are in no documents, and in no file of this process's.
   * @param projections that held them, among others
   * Those that are being built count, too.
   * @throws UnavailableError where that takes too long: it happens all the same
   */
  wordsGone(position: Position, projections: readonly Projection[]): Promise<void>;

  /** Whether this process is one of several. */
  readonly isShared: boolean;
  /** How the store of documents is. */
  documents(): EngineHealth;
  /** Every query can be answered. */
  ready(): boolean;
  status(): ProjectionStatus[];
  /** Resolves when nothing is being built by this process. */
  settled(): Promise<void>;
  /**
   * @param names default: every projection
   * @throws Error: nothing has changed
   */
  rebuild(names: readonly string[] | undefined, onProgress: (progress: BuildProgress) => void): Promise<void>;
}

/** Nest token. */
export const READ_SIDE = Symbol('ReadSide');
