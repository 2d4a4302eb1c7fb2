import { Inject, Injectable, Logger } from '@nestjs/common';
import { UPLOADS_STREAM, uploadRevisionOf, uploadStream } from '../../../events/uploads/uploads.events.js';
import type { DamagedFile } from '../../../platform/file-store/damaged-file.js';
import { fileDifference } from '../../../platform/file-store/file-difference.js';
import {
  type ByteRange,
  FILE_STORE,
  type FileStore,
  type StoredFile,
} from '../../../platform/file-store/file-store.js';
import { endedContent, namedFiles } from '../../../platform/kernel/content-duties.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { type FileMeasure, UNMEASURED } from '../../../platform/kernel/event-definition.js';
import { LruMap } from '../../../platform/kernel/lru-map.js';
import { EventCodec } from '../../../platform/log/event-codec.js';
import { EVENT_STORE, type EventStore, type ReadStreamOptions } from '../../../platform/log/event-store.js';

/** Where the log tells of a file. */
interface FilePlace {
  /** The stream of the event that names it. */
  readonly stream: string;
  /** The event's revision, if it is known: the others of the stream need not be read. */
  readonly revision?: number;
  /** The stream of the event that tells its deletion; by default the same. */
  readonly endedIn?: string;
}

/** The place of an uploaded file. */
export const placeOfUpload = (attachmentId: number): FilePlace => ({
  stream: UPLOADS_STREAM,
  revision: uploadRevisionOf(attachmentId),
  endedIn: uploadStream(attachmentId),
});

interface RecordedFile {
  readonly event: Pick<Recorded, 'type' | 'id' | 'stream' | 'revision'>;
  readonly measure: FileMeasure;
}

/** Names of files that were right, and what the log records of files. */
const MOST_REMEMBERED = 100_000;
const MOST_DAMAGED = 1_000;
/** Milliseconds after which a damaged file is looked at again: it may have come back from a backup. */
const LOOK_AGAIN_AFTER = 60_000;

/**
 * Reads the files that events name, and no bytes that differ from what the event records. A whole file is compared when
 * the process first reads it, and its size each time.
 */
@Injectable()
export class RecordedFiles {
  private readonly log = new Logger('Files');
  private readonly recorded = new LruMap<string, RecordedFile>(MOST_REMEMBERED);
  /** Sizes of the files that were right, by their names. */
  private readonly right = new LruMap<string, { readonly size: number }>(MOST_REMEMBERED);
  private readonly bad = new LruMap<string, DamagedFile & { readonly lookedAt: number }>(MOST_DAMAGED);
  private readonly looking = new Map<string, Promise<'right' | 'deleted' | 'damaged'>>();

  constructor(
    @Inject(FILE_STORE) private readonly files: FileStore,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly codec: EventCodec,
  ) {}

  /** The damaged files that were asked for, the newest first. */
  get damaged(): readonly DamagedFile[] {
    return [...this.bad].map(([, { lookedAt: _, ...file }]) => file).reverse();
  }

  /**
   * @returns null if the file was deleted
   * @throws DomainError FILE_DAMAGED; FileStoreUnavailable, EventStoreUnavailable
   */
  async read(fileId: string, place: FilePlace, range?: ByteRange): Promise<StoredFile | null> {
    const stored = await this.files.read(fileId, range);
    if (stored && this.right.get(fileId)?.size === stored.size) return stored;
    stored?.content.destroy();
    switch (await this.look(fileId, place)) {
      case 'right':
        return this.files.read(fileId, range);
      case 'deleted':
        return null;
      case 'damaged':
        return refuse('FILE_DAMAGED');
    }
  }

  /** Several requests for the same file wait for one look. */
  private look(fileId: string, place: FilePlace): Promise<'right' | 'deleted' | 'damaged'> {
    const known = this.bad.peek(fileId);
    if (known && Date.now() - known.lookedAt < LOOK_AGAIN_AFTER) return Promise.resolve('damaged');
    const looking = this.looking.get(fileId) ?? this.compare(fileId, place).finally(() => this.looking.delete(fileId));
    this.looking.set(fileId, looking);
    return looking;
  }

  private async compare(fileId: string, place: FilePlace): Promise<'right' | 'deleted' | 'damaged'> {
    const recorded = await this.recordOf(fileId, place);
    const stored = await this.files.read(fileId);
    const difference = stored ? await fileDifference(stored, recorded?.measure ?? UNMEASURED) : 'it is missing';
    if (stored && difference === null) {
      this.right.set(fileId, { size: stored.size });
      this.bad.delete(fileId);
      return 'right';
    }
    // The bytes of a file are removed after the event that tells it.
    if (!recorded || (await this.isDeleted(fileId, place))) return 'deleted';
    this.noteDamage(fileId, recorded, stored ? 'changed' : 'missing', difference ?? '');
    return 'damaged';
  }

  private noteDamage(fileId: string, { event }: RecordedFile, fault: DamagedFile['fault'], how: string): void {
    const { type, id: eventId, stream, revision } = event;
    const known = this.bad.peek(fileId);
    const at = known?.at ?? Date.now();
    this.right.delete(fileId);
    this.bad.set(fileId, { fault, type, eventId, stream, revision, at, lookedAt: Date.now() });
    if (known?.fault !== fault)
      this.log.error(`file ${fileId} of ${type} ${eventId} (${stream}@${revision}) is not served: ${how}`);
  }

  private async recordOf(fileId: string, { stream, revision }: FilePlace): Promise<RecordedFile | undefined> {
    const known = this.recorded.get(fileId);
    if (known) return known;
    // The other files of the stream are likely to be asked for, too: emoji.
    for (const event of await this.eventsOf(stream, revision === undefined ? {} : { from: revision, limit: 1 }))
      for (const [name, measure] of namedFiles(this.codec.definitionOf(event.type), event)) {
        const { type, id, revision: at } = event;
        this.recorded.set(name, { event: { type, id, stream, revision: at }, measure });
      }
    return this.recorded.get(fileId);
  }

  private async isDeleted(fileId: string, { stream, endedIn = stream }: FilePlace): Promise<boolean> {
    const events = await this.eventsOf(endedIn, {});
    return events.some((event) => endedContent(this.codec.definitionOf(event.type), event).fileIds.includes(fileId));
  }

  private async eventsOf(stream: string, options: ReadStreamOptions): Promise<readonly Recorded[]> {
    return this.codec.decode(await this.events.readStream(stream, options));
  }
}
