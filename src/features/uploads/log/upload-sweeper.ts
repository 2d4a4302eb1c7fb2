import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { eventRegistry } from '../../../events/event-registry.js';
import { FILE_STORE, type FileStore } from '../../../platform/file-store/file-store.js';
import { endedContent, hasFiles, namedFiles } from '../../../platform/kernel/content-duties.js';
import { PeriodicTask } from '../../../platform/kernel/periodic-task.js';
import { START } from '../../../platform/kernel/position.js';
import { EventCodec } from '../../../platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../../platform/log/event-store.js';

/** Events that are read at once. */
const PAGE = 500;
const TYPES = [...eventRegistry.values()].filter(hasFiles).map(({ type }) => type);
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
    @Inject(FILE_STORE) private readonly files: FileStore,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly codec: EventCodec,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeping.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.sweeping.stop();
  }

  async sweep(): Promise<void> {
    const left = await this.files.abandoned();
    if (left.length === 0) return;
    // The process that left these files ended before they were listed: the log has its events.
    const used = await this.inUse(new Set(left));
    for (const fileId of used) await this.files.commit(fileId);
    const unused = left.filter((fileId) => !used.has(fileId));
    await this.files.remove(unused);
    if (unused.length > 0) this.log.warn(`${unused.length} files were taken away whose upload was never finished`);
  }

  /** Finds the files that an event names and no later event ends. Reads the whole log: a crash is rare. */
  private async inUse(fileIds: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const used = new Set<string>();
    for (let after = START; ; ) {
      const page = await this.events.readAll({ after, limit: PAGE, filter: { types: TYPES } });
      for (const event of this.codec.decodeWithoutContent(this.codec.sound(page.events))) {
        const definition = this.codec.definitionOf(event.type);
        for (const [fileId] of namedFiles(definition, event)) if (fileIds.has(fileId)) used.add(fileId);
        for (const fileId of endedContent(definition, event).fileIds) used.delete(fileId);
      }
      if (page.caughtUp) return used;
      after = page.position;
    }
  }

  private async trySweep(): Promise<boolean> {
    try {
      await this.sweep();
      return true;
    } catch (error) {
      this.log.warn(`unfinished uploads could not be looked for: ${String(error)}`);
      return false;
    }
  }
}
