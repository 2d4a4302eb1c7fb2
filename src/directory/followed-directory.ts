import type { Position } from '../platform/kernel/position.js';
import type { Projection } from '../platform/read-models/projection.js';
import { Directory } from './directory.js';
import { DirectoryFollower, type DirectoryFollowerOptions } from './directory-follower.js';

export interface DirectoryParts {
  /** The follower of this process's directory, started and closed elsewhere; null: the process has none. */
  readonly directoryFollower: DirectoryFollower | null;
}

/**
 * The directory that a follower of the log reads: this process's, or its own if the process has none. A directory of
 * 10,000 accounts takes 45 MiB, so a process has one.
 */
export class FollowedDirectory {
  readonly directory: Directory;
  private readonly follower: DirectoryFollower;
  private readonly isOwn: boolean;

  /** @param projection the read model that holds the directory's records */
  constructor(
    parts: Pick<DirectoryFollowerOptions, 'eventStore' | 'codec' | 'readModels'> & DirectoryParts,
    projection: Projection,
  ) {
    const { eventStore, codec, readModels, directoryFollower } = parts;
    this.isOwn = directoryFollower === null;
    this.follower =
      directoryFollower ??
      new DirectoryFollower({ eventStore, codec, readModels, directory: new Directory(), projection });
    this.directory = this.follower.directory;
  }

  async start(): Promise<void> {
    if (this.isOwn) await this.follower.start();
  }

  /** Resolves when the directory reflects the log up to `position`. @throws UnavailableError after 2 s */
  reach(position: Position): Promise<void> {
    return this.follower.reach(position);
  }

  async close(): Promise<void> {
    if (this.isOwn) await this.follower.close();
  }
}
