import type { Bus } from '../bus/bus.js';
import type { CommandRunner } from '../commands/command-runner.js';
import type { Projection } from '../read-models/projection.js';
import type { ReadModels } from '../read-models/read-models.js';
import type { ConsumerSetting } from './consumer.js';

/** Services for every follower. */
export interface FollowerParts extends ConsumerSetting {
  readonly readModels: ReadModels;
  readonly runner: CommandRunner;
  readonly bus: Bus;
  /** The server's public URL, without a slash at its end. */
  readonly site: () => string;
}

export interface OpenFollower {
  /** Whether it is closed after all consumers that append events. */
  readonly closesLast?: boolean;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Effects outside the server that need a checkpoint and memory of their own (D16). Rebuilds never run it. */
export interface Follower<Parts extends FollowerParts = FollowerParts> {
  /**
   * Name of the database of its checkpoint and of the events that it has passed over. The creation of an organization
   * stores the log's beginning there; without a checkpoint, the follower begins at the log's end, if it has effects.
   */
  readonly database: string;
  /** Projections whose documents it reads. */
  readonly reads: readonly Projection[];
  /** Called once per run. Loads the follower's code. @returns null if the settings leave it nothing to do */
  readonly open: (parts: Parts) => Promise<OpenFollower | null>;
}
