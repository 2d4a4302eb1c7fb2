import type { EventPlace } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import type {
  Collection,
  CollectionWrites,
  DocumentTransaction,
  StoredDocument,
  WriteResult,
} from '../document-store.js';
import { type CollectionAccess, MongoCollection } from './mongo-collection.js';

/** A transaction as its work sees it. */
export class OpenTransaction implements DocumentTransaction {
  /** Why nothing more may happen in it: the server ends a transaction at its first failure. */
  private ended: unknown = null;
  /** A session takes one call at a time. */
  private lastTurn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly access: (name: string) => CollectionAccess,
    private readonly store: (position: Position, event: EventPlace | undefined) => Promise<void>,
    /** What is left to write in one command; null where it takes several. */
    private readonly together: (
      writes: readonly CollectionWrites[],
      checkpoint: Position | undefined,
      event: EventPlace | undefined,
    ) => Promise<readonly WriteResult[] | null>,
    /** Whether a failed call ends the transaction, as MongoDB's own do. */
    private readonly failsWhole: boolean,
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

  /** @throws what has failed in it */
  async end(): Promise<void> {
    await this.lastTurn;
    const { ended } = this;
    this.ended ??= new Error('the transaction has ended');
    if (ended !== null) throw ended;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.lastTurn.then(async () => {
      if (this.ended !== null) throw this.ended;
      try {
        return await work();
      } catch (error) {
        if (this.failsWhole) this.ended = error;
        throw error;
      }
    });
    this.lastTurn = turn.catch(() => undefined);
    return turn;
  }
}

/** Whatever it has asked for is done when it ends. */
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
