import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { attachments } from '../../../../projections/attachments/attachments.projection.js';
import { Facts } from '../../../directory/facts.js';
import { FILE_STORE, type FileStore } from '../../../platform/file-store/file-store.js';
import { PeriodicTask } from '../../../platform/kernel/periodic-task.js';
import { filesNamed } from '../queries/readable-files.js';

const SOON_MS = 5_000;
const LATER_MS = 3_600_000;

/**
 * Goes through the files that were being received when a process ended, uploads and pictures. Commits a file with
 * an event in the log, and removes the others. Several processes may sweep at the same time.
 */
@Injectable()
export class UploadSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Uploads');
  private readonly sweeping = new PeriodicTask({
    every: LATER_MS,
    firstAfter: 0,
    ref: false,
    work: async () => ((await this.trySweep()) ? LATER_MS : SOON_MS),
  });

  constructor(
    private readonly facts: Facts,
    @Inject(FILE_STORE) private readonly files: FileStore,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeping.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.sweeping.stop();
  }

  /** @returns false if the documents are behind the log */
  async sweep(): Promise<boolean> {
    const left = await this.files.abandoned();
    if (left.length === 0) return true;
    // The process that left these files ended before they were listed. Its events are at most at the current position.
    const { position } = this.facts.directory;
    await this.facts.readModels.waitFor([attachments], position);
    if (this.facts.readModels.position(attachments) < position) return false;
    const uploaded = (await filesNamed(left, this.facts.readModels)).map(({ fileId }) => fileId);
    const known: ReadonlySet<string | null> = new Set([...uploaded, ...this.pictures()]);
    for (const fileId of left) if (known.has(fileId)) await this.files.commit(fileId);
    const unknown = left.filter((fileId) => !known.has(fileId));
    await this.files.remove(unknown);
    if (unknown.length > 0) this.log.warn(`${unknown.length} files were taken away whose upload was never finished`);
    return true;
  }

  /** Lists the pictures that are in use: those of emoji, avatars, and those of the organization. */
  private pictures(): readonly (string | null)[] {
    const { directory } = this.facts;
    return [
      ...directory.customEmoji.all.flatMap(({ fileId, stillFileId }) => [fileId, stillFileId]),
      ...Object.values(directory.organization?.pictures ?? {}).map(({ fileId }) => fileId),
      ...directory.allUsers().flatMap(({ avatar }) => Object.values(avatar?.files ?? {})),
    ];
  }

  private async trySweep(): Promise<boolean> {
    try {
      return await this.sweep();
    } catch (error) {
      this.log.warn(`unfinished uploads could not be looked for: ${String(error)}`);
      return false;
    }
  }
}
