import type { EventPlace } from '../../kernel/event.js';
import { Mutex } from '../../kernel/mutex.js';
import type { Position } from '../../kernel/position.js';
import type {
  Collection,
  CollectionWrites,
  DocumentTransaction,
  StoredDocument,
  WriteResult,
} from '../document-store.js';
import { type CollectionAccess, MongoCollection } from './mongo-collection.js';

/** The transaction that its work is given. */
export class OpenTransaction implements DocumentTransaction {
  /** The reason to refuse further calls: the server ends a transaction at its first failure. */
  private ended: unknown = null;
  /** A session takes one call at a time. */
  private readonly turns = new Mutex();

  constructor(
    private readonly access: (name: string) => CollectionAccess,
    private readonly store: (position: Position, event: EventPlace | undefined) => Promise<void>,
    /** Writes in one command; null if the writes need several. */
    private readonly together: (
      writes: readonly CollectionWrites[],
      checkpoint: Position | undefined,
      event: EventPlace | undefined,
    ) => Promise<readonly WriteResult[] | null>,
  ) {}

  collection<D extends StoredDocument>(name: string): Collection<D> {
    const { read, write } = this.access(name);
    return new MongoCollection<D>({
      read: (work) => this.inTurn(() => read(work)),
      write: (work) => this.inTurn(() => write(work)),
    });
  }

  writeAll(
    writes: readonly CollectionWrites[],
    checkpoint?: Position,
    event?: EventPlace,
  ): Promise<readonly WriteResult[]> {
    return this.inTurn(async () => {
      const written = await this.together(writes, checkpoint, event);
      if (written) return written;
      const results: WriteResult[] = [];
      for (const { collection, operations } of writes) {
        results.push(await this.access(collection).write((writer) => writer.apply(operations)));
      }
      if (checkpoint !== undefined) await this.store(checkpoint, event);
      return results;
    });
  }

  setCheckpoint(position: Position, event?: EventPlace): Promise<void> {
    return this.inTurn(() => this.store(position, event));
  }

  /** @throws the error of the call that failed */
  async end(): Promise<void> {
    await this.turns.idle();
    const { ended } = this;
    this.ended ??= new Error('the transaction has ended');
    if (ended !== null) throw ended;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.turns.run(async () => {
      if (this.ended !== null) throw this.ended;
      try {
        return await work();
      } catch (error) {
        this.ended = error;
        throw error;
      }
    });
  }
}

/** Runs `work`, and waits for all its calls. */
export async function runIn<T>(
  transaction: OpenTransaction,
  work: (transaction: DocumentTransaction) => Promise<T>,
): Promise<T> {
  try {
    return await work(transaction);
  } finally {
    await transaction.end();
  }
}
