import type { ContentKeys } from '../content-keys/content-keys.js';
import { isUnavailability } from '../engines/unavailability.js';
import type { FileStore } from '../file-store/file-store.js';
import { endsContent, endsKeys } from '../kernel/content-duties.js';
import type { Recorded } from '../kernel/event.js';
import { UnavailableError } from '../kernel/outcome-errors.js';
import { type Position, START } from '../kernel/position.js';
import type { EventRegistry } from '../log/event-codec.js';
import type { Batch } from '../log/event-store.js';
import type { Projection } from '../read-models/projection.js';
import { Consumer, type ConsumerSetting } from './consumer.js';

/** The database of the checkpoint. Up to it, the files of the documents are known to hold no deleted content. */
export const ERASURE_DATABASE = 'deleted-words';

/** The projections whose documents held the content that an event erases (D7), by the event's type. */
type Erasures = ReadonlyMap<string, readonly Projection[]>;

/**
 * Derives the erasures: a projection that holds content handles the events that erase it. A file has no copy in documents,
 * so an event that ends only files has none purged.
 */
export function erasuresIn(registry: EventRegistry, projections: readonly Projection[]): Erasures {
  const holding = projections.filter(({ holdsContent }) => holdsContent);
  const ending = [...registry.values()].filter(endsContent);
  return new Map(ending.map((one) => [one.type, endsKeys(one) ? holding.filter(({ on }) => on[one.type]) : []]));
}

export interface ErasedContentOptions extends ConsumerSetting {
  readonly contentKeys: ContentKeys;
  readonly fileStore: FileStore;
  readonly erasures: Erasures;
  /**
   * Resolves when no file of these documents holds content that was deleted up to the position. Rejects to be called
   * again.
   */
  readonly purge: (position: Position, held: readonly Projection[]) => Promise<void>;
  /** Records that keys were there at the start whose content was deleted before. They are destroyed. */
  readonly onKeysFound: (count: number) => Promise<void>;
}

/** A request waits for its deletions no longer than so. */
const LONGEST_WAIT_MS = 60_000;
/** Milliseconds between looks whether the consumer is to stop. */
const LOOK_EVERY_MS = 1_000;

/**
 * Destroys the keys of deleted or replaced content (D7) and removes the bytes of deleted files; then has the content
 * purged from the documents' files. Each start handles all deletions again: a backup may have brought keys back, and
 * asking for a thousand destroyed keys is cheap. The checkpoint covers the documents' files alone. Documents that are
 * behind hold up no destruction of keys.
 */
export class ErasedContent {
  private readonly keys: Consumer;
  private readonly documents: Consumer;
  /** The end of the log at the start. */
  private head: Position = START;
  /** Keys of deletions up to here were destroyed before the start. */
  private destroyedTo: Position = START;
  /** Keys that were there nevertheless: a backup has brought them back. They are destroyed, and not recorded yet. */
  private foundAgain = 0;
  /** Deletions since the start that were passed over. */
  private remaining: { readonly position: Position; readonly since: number }[] = [];

  constructor(private readonly options: ErasedContentOptions) {
    const common = { ...options, database: ERASURE_DATABASE, types: [...options.erasures.keys()] };
    this.keys = new Consumer({
      ...common,
      name: 'erasure',
      // Documents that were removed do not tell: then all deletions until now were carried out before.
      startAfter: (checkpoint) => {
        this.destroyedTo = checkpoint ?? this.head;
        return START;
      },
      handle: (events, { position }) => this.destroyAll(events, position),
      onPassedOver: ({ position }) => this.remains(position),
    });
    this.documents = new Consumer({
      ...common,
      name: 'purge',
      concerns: () => false,
      startAfter: (checkpoint) => checkpoint ?? START,
      handle: (_none, batch) => this.purge(batch),
    });
  }

  async start(): Promise<void> {
    this.head = await this.options.eventStore.head();
    await this.keys.start();
    await this.documents.start();
  }

  /**
   * Resolves when all content that was deleted up to the position is gone; rejects after `longest` ms, or if a deletion
   * of the last minute was passed over.
   */
  async waitFor(position: Position, longest: number): Promise<void> {
    const reached = await Promise.all([this.keys, this.documents].map((one) => one.waitFor(position, longest)));
    if (reached.includes(false)) throw new Error(`after ${longest} ms, deleted content is still there`);
    const latest = performance.now() - LONGEST_WAIT_MS;
    this.remaining = this.remaining.filter(({ since }) => since > latest);
    if (this.remaining.some((one) => one.position <= position))
      throw new Error('a deletion was passed over, so deleted content may still be there');
  }

  async close(): Promise<void> {
    this.documents.stop();
    this.keys.stop();
    await this.documents.close();
    await this.keys.close();
  }

  private async destroyAll(events: readonly Recorded[], through: Position): Promise<void> {
    let alone = events.filter((event) => this.keys.hasPassedOver(event));
    try {
      await this.destroy(events.filter((event) => !alone.includes(event)));
    } catch (error) {
      if (isUnavailability(error)) throw error;
      alone = [...events];
    }
    for (const event of alone) await this.keys.attempt(event, () => this.destroy([event]));
    if (through < this.destroyedTo || this.foundAgain === 0) return;
    await this.options.onKeysFound(this.foundAgain);
    this.foundAgain = 0;
  }

  private async destroy(events: readonly Recorded[]): Promise<void> {
    const { codec, contentKeys, fileStore } = this.options;
    const { keyIds, fileIds } = codec.endedBy(events);
    const left = await contentKeys.getMany(keyIds);
    await contentKeys.destroy([...left.keys()]);
    const before = codec.endedBy(events.filter(({ position }) => position <= this.destroyedTo)).keyIds;
    this.foundAgain += before.filter((keyId) => left.has(keyId)).length;
    await fileStore.remove(fileIds);
  }

  /** Waits for the keys: with them, documents that are being built could still read the content. */
  private async purge({ events }: Batch): Promise<void> {
    const last = events.at(-1);
    if (!last) return;
    while (!(await this.keys.waitFor(last.position, LOOK_EVERY_MS)))
      if (this.documents.signal.aborted) throw new UnavailableError('the server is about to end');
    const held = events.flatMap(({ type }) => this.options.erasures.get(type) ?? []);
    await this.options.purge(last.position, [...new Set(held)]);
    await this.documents.storeCheckpoint(last.position, last);
  }

  private remains(position: Position): void {
    if (position > this.head) this.remaining.push({ position, since: performance.now() });
  }
}
