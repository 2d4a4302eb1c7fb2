import {
  type CollectionSpec,
  type CollectionWrites,
  type DocumentDatabase,
  type DocumentTransaction,
  DuplicateKey,
  type Filter,
  type StoredDocument,
  type Update,
} from '../document-store/document-store.js';
import type { EventPlace } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';

interface FenceDocument extends StoredDocument {
  readonly _id: 'fence';
  readonly token: number;
  /** Written each time, so that two holders' transactions meet in it. */
  readonly entered: number;
}

export const fenceCollections: Readonly<Record<string, CollectionSpec>> = { fence: {} };

/** Another process has taken over what this one was doing: it stops where it is. */
export class Fenced extends Error {
  constructor(database: string) {
    super(`${database} is written by another process now`);
    this.name = 'Fenced';
  }
}

/**
 * Keeps a process that lost its lease, and does not know it yet, from writing: each transaction enters, and the lease's
 * next holder has closed the door behind itself.
 */
export class Fence {
  private entered = 0;

  constructor(readonly token: number) {}

  /** Once, before anything is read that will be written on. @throws Fenced */
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
   * Enters, writes and moves the checkpoint.
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

  /** Where there are no transactions, before each write that must not be a past holder's. @throws Fenced */
  async enter(database: Pick<DocumentDatabase, 'name' | 'collection'>): Promise<void> {
    const { filter, update } = this.entry();
    const { matched } = await database.collection<FenceDocument>('fence').updateOne(filter, update);
    if (matched === 0) throw new Fenced(database.name);
  }

  private entry(): { readonly filter: Filter<FenceDocument>; readonly update: Update<FenceDocument> } {
    this.entered++;
    return { filter: { _id: 'fence', token: this.token }, update: { $set: { entered: this.entered } } };
  }
}

/**
 * Notes how far somebody has come: behind the fence where processes take turns.
 * @param event the newest that is known to lie at the position or before it
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
