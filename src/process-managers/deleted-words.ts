import type { ContentKeys } from '../content-keys/content-keys.js';
import type { DocumentDatabase, DocumentStore } from '../document-store/document-store.js';
import type { EventCodec } from '../event-codec/event-codec.js';
import type { Batch, EventStore } from '../event-store/event-store.js';
import { followLog } from '../event-store/follow-log.js';
import type { FileStore } from '../file-store/file-store.js';
import type { Recorded } from '../kernel/event.js';
import { type Position, START } from '../kernel/position.js';
import { PositionWaiters } from '../kernel/position-waiters.js';
import type { MessageDeleted } from '../messages/domain/message.events.js';
import { type Fence, Fenced } from '../processes/fence.js';
import type { FileDeleted } from '../uploads/domain/uploads.events.js';

/** Holds how far the files of the documents are known to hold no deleted words. */
const DATABASE = 'deleted-words';

type Deleted = MessageDeleted | FileDeleted;

export interface DeletedWordsOptions {
  readonly eventStore: EventStore;
  readonly contentKeys: ContentKeys;
  readonly fileStore: FileStore;
  readonly documentStore: DocumentStore;
  readonly codec: EventCodec;
  /** Resolves when no file of the documents holds words that were deleted up to the position; rejects to be asked again. */
  readonly purge: (position: Position) => Promise<void>;
  readonly report: (error: unknown) => void;
  /** Where several processes take turns. */
  readonly shared?: { readonly fence: Fence /** It is another process's turn. */; readonly onFenced: () => void };
}

/**
 * Destroys the key of every message and every uploaded file that was deleted (D7), takes the file's bytes away, and has
 * what they said purged from the files of the documents. Each start goes through all deletions again: keys may have come back from a backup, and asking for a thousand keys
 * that are gone costs less than one of them would. The checkpoint is of the files alone.
 */
export class DeletedWords {
  private database: DocumentDatabase | null = null;
  private position: Position = START;
  private purgedThrough: Position = START;
  private readonly stopping = new AbortController();
  private readonly waiters = new PositionWaiters();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: DeletedWordsOptions) {}

  async start(): Promise<void> {
    const { eventStore, documentStore, shared, report } = this.options;
    this.database = await documentStore.database(DATABASE);
    await shared?.fence.close(this.database);
    this.purgedThrough = (await this.database.checkpoint()) ?? START;
    this.running = followLog(eventStore, {
      after: () => this.position,
      filter: { types: ['MessageDeleted', 'FileDeleted'] satisfies Deleted['type'][] },
      signal: this.stopping.signal,
      deliver: (batch) => this.deliver(batch),
      interrupted: (error) => {
        if (!(error instanceof Fenced)) return report(error);
        this.stopping.abort();
        shared?.onFenced();
      },
    });
  }

  /** Resolves when the words of everything that was deleted up to the position are gone; rejects after `longest`. */
  waitFor(position: Position, longest: number): Promise<void> {
    if (this.position >= position) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        giveUp();
        reject(new Error(`after ${longest} ms, deleted words are still there`));
      }, longest);
      const giveUp = this.waiters.add(position, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.database?.close();
  }

  private async deliver({ events, position }: Batch): Promise<void> {
    const { codec, contentKeys, fileStore, purge } = this.options;
    const deleted = (await codec.decode(events)) as Recorded<Deleted>[];
    const left = await contentKeys.getMany(deleted.map(({ data }) => data.keyId));
    await contentKeys.destroy([...left.keys()]);
    await fileStore.remove(deleted.flatMap((event) => (event.type === 'FileDeleted' ? event.data.fileId : [])));
    const last = deleted.at(-1)?.position ?? START;
    if (last > this.purgedThrough) {
      await purge(last);
      await this.remember(last);
    }
    this.position = position;
    this.waiters.advance(position);
  }

  private async remember(position: Position): Promise<void> {
    const { database } = this;
    await database?.transaction(async (transaction) => {
      await this.options.shared?.fence.enter(transaction, database.name);
      await transaction.setCheckpoint(position);
    });
    this.purgedThrough = position;
  }
}
