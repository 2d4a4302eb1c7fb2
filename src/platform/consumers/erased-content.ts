import type { ContentKeys } from '../content-keys/content-keys.js';
import type { FileStore } from '../file-store/file-store.js';
import type { Recorded } from '../kernel/event.js';
import { type Position, START } from '../kernel/position.js';
import type { Projection } from '../read-models/projection.js';
import { Consumer, type ConsumerSetting } from './consumer.js';
import type { Erasure } from './erasure.js';

/** The database of the checkpoint. Up to it, the files of the documents are known to hold no deleted content. */
export const ERASURE_DATABASE = 'deleted-words';

export interface ErasedContentOptions extends ConsumerSetting {
  readonly contentKeys: ContentKeys;
  readonly fileStore: FileStore;
  /** The events that erase content: one row per type. */
  readonly erasures: readonly Erasure[];
  /**
   * Resolves when no file of these documents holds content that was deleted up to the position. Rejects to be called
   * again.
   */
  readonly purge: (position: Position, held: readonly Projection[]) => Promise<void>;
}

/**
 * Destroys the keys of deleted or replaced content (D7), removes the bytes of deleted files, and has the content purged
 * from the documents' files. Each start handles all deletions again: a backup may have brought keys back, and asking
 * for a thousand destroyed keys is cheap. The checkpoint covers the documents' files alone.
 */
export class ErasedContent {
  private purgedThrough: Position = START;
  private readonly byType: ReadonlyMap<string, Erasure>;
  private readonly consumer: Consumer;

  constructor(private readonly options: ErasedContentOptions) {
    this.byType = new Map(options.erasures.map((erasure) => [erasure.on, erasure]));
    this.consumer = new Consumer({
      ...options,
      name: 'erasure',
      database: ERASURE_DATABASE,
      types: [...this.byType.keys()],
      startAfter: (checkpoint) => {
        this.purgedThrough = checkpoint ?? START;
        return START;
      },
      handle: (events) => this.erase(events),
    });
  }

  start(): Promise<void> {
    return this.consumer.start();
  }

  /** Resolves when all content that was deleted up to the position is gone; rejects after `longest` ms. */
  async waitFor(position: Position, longest: number): Promise<void> {
    if (await this.consumer.waitFor(position, longest)) return;
    throw new Error(`after ${longest} ms, deleted content is still there`);
  }

  close(): Promise<void> {
    return this.consumer.close();
  }

  private async erase(events: readonly Recorded[]): Promise<void> {
    const { contentKeys, fileStore, purge } = this.options;
    const deleted = events.map((event) => ({ event, erasure: this.erasureOf(event) }));
    const left = await contentKeys.getMany(deleted.map(({ event, erasure }) => erasure.keyId(event)));
    await contentKeys.destroy([...left.keys()]);
    await fileStore.remove(deleted.flatMap(({ event, erasure }) => erasure.fileId?.(event) ?? []));
    const toPurge = deleted.filter(({ event }) => event.position > this.purgedThrough);
    const last = toPurge.at(-1)?.event;
    if (!last) return;
    await purge(last.position, [...new Set(toPurge.flatMap(({ erasure }) => erasure.heldBy))]);
    await this.consumer.storeCheckpoint(last.position, last);
    this.purgedThrough = last.position;
  }

  private erasureOf({ type }: Recorded): Erasure {
    const found = this.byType.get(type);
    if (!found) throw new Error(`${type} erases nothing`);
    return found;
  }
}
