import { attachments } from '../../projections/attachments.projection.js';
import { drafts } from '../../projections/drafts.projection.js';
import { messages } from '../../projections/messages.projection.js';
import type { Projection } from '../../projections/projection.js';
import type { ContentKeys } from '../content-keys/content-keys.js';
import type { DocumentDatabase, DocumentStore } from '../document-store/document-store.js';
import type { DraftDeleted, DraftEdited } from '../drafts/domain/drafts.events.js';
import type { EventCodec } from '../event-codec/event-codec.js';
import type { Batch, EventStore } from '../event-store/event-store.js';
import { followLog } from '../event-store/follow-log.js';
import type { FileStore } from '../file-store/file-store.js';
import type { EventPlace, Recorded } from '../kernel/event.js';
import { type Position, START } from '../kernel/position.js';
import { PositionWaiters } from '../kernel/position-waiters.js';
import type { MessageDeleted } from '../messages/domain/message.events.js';
import { type Fence, Fenced, storeCheckpoint } from '../processes/fence.js';
import type { FileDeleted } from '../uploads/domain/uploads.events.js';

/** Holds how far the files of the documents are known to hold no deleted words. */
const DATABASE = 'deleted-words';

type Deleted = MessageDeleted | FileDeleted | DraftEdited | DraftDeleted;

/** Whose documents held the words, for each event with which words go. */
export const HELD_BY: Readonly<Record<Deleted['type'], readonly Projection[]>> = {
  MessageDeleted: [messages, attachments],
  FileDeleted: [attachments],
  DraftEdited: [drafts],
  DraftDeleted: [drafts],
};

/** The key of the words that went with it. */
const keyOf = ({ type, data }: Deleted): string => (type === 'DraftEdited' ? data.previousKeyId : data.keyId);

export interface DeletedWordsOptions {
  readonly eventStore: EventStore;
  readonly contentKeys: ContentKeys;
  readonly fileStore: FileStore;
  readonly documentStore: DocumentStore;
  readonly codec: EventCodec;
  /**
   * Resolves when no file of these documents holds words that were deleted up to the position; rejects to be asked again.
   */
  readonly purge: (position: Position, held: readonly Projection[]) => Promise<void>;
  readonly report: (error: unknown) => void;
  /** Where several processes take turns. */
  readonly shared?: { readonly fence: Fence /** It is another process's turn. */; readonly onFenced: () => void };
}

/**
 * Destroys the key of every message, uploaded file and draft that was deleted, and of the words of a draft that others
 * took the place of (D7), takes the file's bytes away, and has what they said purged from the files of the documents.
 * Each start goes through all deletions again: keys may have come back from a backup, and asking for a thousand keys
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
      filter: { types: Object.keys(HELD_BY) },
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
    const left = await contentKeys.getMany(deleted.map(keyOf));
    await contentKeys.destroy([...left.keys()]);
    await fileStore.remove(deleted.flatMap((event) => (event.type === 'FileDeleted' ? event.data.fileId : [])));
    const toPurge = deleted.filter((event) => event.position > this.purgedThrough);
    const last = toPurge.at(-1);
    if (last) {
      await purge(last.position, [...new Set(toPurge.flatMap(({ type }) => HELD_BY[type]))]);
      await this.remember(last);
    }
    this.position = position;
    this.waiters.advance(position);
  }

  private async remember(event: EventPlace): Promise<void> {
    const { database } = this;
    if (database) await storeCheckpoint(database, event.position, this.options.shared?.fence, event);
    this.purgedThrough = event.position;
  }
}
