import type { ProjectionStatus } from '../../../projections/runner/live-projections.js';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';
import type { ClusterMembership, DirectoryFollower } from '../../directory/directory-follower.js';
import type { Consequences } from '../../platform/commands/consequences.js';
import type { Position } from '../../platform/kernel/position.js';
import type { AheadOfDocuments } from '../../platform/read-models/ahead-of-documents.js';
import type { Projection } from '../../platform/read-models/projection.js';
import type { ReadModels } from '../../platform/read-models/read-models.js';
import type { EngineHealth, FollowersReport } from '../health/health.js';

/** States that follow from the log, for a process that answers clients; kept by this process or by others. */
export interface ReadSide {
  readonly readModels: ReadModels;
  /** Set if this process keeps all documents. */
  readonly ahead: AheadOfDocuments | null;
  readonly consequences: Consequences;

  /** Starts the documents. Must precede reads that this process answers from. */
  start(): Promise<void>;
  /** Starts the consumers that act on events, once the directory knows who may do what. */
  startConsequences(directory: DirectoryFollower): Promise<void>;
  close(): Promise<void>;

  /** Set if other processes wait for this one's directory. This process may answer from it while it is a member. */
  readonly membership: ClusterMembership | null;
  /** Announces that this process's directory has applied a change. */
  directoryChanged(position: Position): void;
  /** Resolves when no process answers from before the position any more (D8). */
  passedEverywhere(position: Position): Promise<void>;

  /**
   * Resolves when content that was deleted up to the position is in no documents, unfinished builds included, and in no
   * file of this process.
   * @param projections projections that may have held it
   * @throws UnavailableError if that takes too long: it happens all the same
   */
  waitForErasure(position: Position, projections: readonly Projection[]): Promise<void>;

  /** True if this process is one of several. */
  readonly isShared: boolean;
  /** Health of the document store. */
  documents(): EngineHealth;
  /** Tells whether every query can be answered. */
  ready(): boolean;
  status(): ProjectionStatus[];
  followers(): FollowersReport;
  /** Resolves when this process builds no documents. */
  settled(): Promise<void>;
  /**
   * Rebuilds projections.
   * @param names default: every projection
   * @throws Error: nothing has changed
   */
  rebuild(names: readonly string[] | undefined, onProgress: (progress: BuildProgress) => void): Promise<void>;
}

/** Nest token. */
export const READ_SIDE = Symbol('ReadSide');
