import {
  type CollectionSpec,
  type CollectionWrites,
  type DocumentDatabase,
  type DocumentTransaction,
  DuplicateKey,
  type Filter,
  type StoredDocument,
  type Update,
} from '../documents/document-store.js';
import type { EventPlace } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';

interface FenceDocument extends StoredDocument {
  readonly _id: 'fence';
  readonly token: number;
  /** Changes with each transaction, so that transactions of two holders conflict. */
  readonly entered: number;
}

export const fenceCollections: Readonly<Record<string, CollectionSpec>> = { fence: {} };

/** Another process has taken over the work: this process stops it. */
export class Fenced extends Error {
  constructor(database: string) {
    super(`${database} is written by another process now`);
    this.name = 'Fenced';
  }
}

/**
 * Keeps a process that has lost its lease unawares from writing. Each transaction writes the fence's document on
 * condition of its token, and the lease's next holder has put a greater token there.
 */
export class Fence {
  private entered = 0;

  constructor(readonly token: number) {}

  /**
   * Puts this holder's token into the database, once, before it reads anything that later writes rest on. @throws
   * Fenced
   */
  async close(database: DocumentDatabase): Promise<void> {
    await database.ensure(fenceCollections);
    const fence = database.collection<FenceDocument>('fence');
    const mine: FenceDocument = { _id: 'fence', token: this.token, entered: this.entered };
    try {
      await fence.replaceOne({ _id: 'fence', token: { $lte: this.token } }, mine, { upsert: true });
    } catch (error) {
      throw error instanceof DuplicateKey ? new Fenced(database.name) : error;
    }
  }

  /**
   * Enters the fence, writes and moves the checkpoint.
   * @throws Fenced: the transaction must fail with it
   */
  async writeAll(
    transaction: Pick<DocumentTransaction, 'writeAll'>,
    database: string,
    writes: readonly CollectionWrites[],
    checkpoint: Position,
    event?: EventPlace,
  ): Promise<void> {
    const entering: CollectionWrites = { collection: 'fence', operations: [{ updateOne: this.entry() }] };
    const [entered] = await transaction.writeAll([entering, ...writes], checkpoint, event);
    if (entered?.matched === 0) throw new Fenced(database);
  }

  private entry(): { readonly filter: Filter<FenceDocument>; readonly update: Update } {
    this.entered++;
    return { filter: { _id: 'fence', token: this.token }, update: { $set: { entered: this.entered } } };
  }
}

/**
 * Stores a consumer's checkpoint, behind the fence if processes take turns.
 * @param event the newest event that is known to lie at the position or before it
 * @throws Fenced
 */
export function storeCheckpoint(
  database: DocumentDatabase,
  position: Position,
  fence: Fence | undefined,
  event: EventPlace | undefined,
): Promise<void> {
  return database.transaction(async (transaction) => {
    if (fence) await fence.writeAll(transaction, database.name, [], position, event);
    else await transaction.setCheckpoint(position, event);
  });
}
