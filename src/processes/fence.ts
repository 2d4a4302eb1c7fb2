import {
  type CollectionSpec,
  type DocumentDatabase,
  type DocumentTransaction,
  DuplicateKey,
  type StoredDocument,
} from '../document-store/document-store.js';

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
 * Keeps a process that lost its lease, and does not know it yet, from writing: each transaction begins by entering,
 * and the lease's next holder has closed the door behind itself.
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

  /** @throws Fenced: the transaction must fail with it */
  async enter(transaction: Pick<DocumentTransaction, 'collection'>, database: string): Promise<void> {
    this.entered++;
    const { matched } = await transaction
      .collection<FenceDocument>('fence')
      .updateOne({ _id: 'fence', token: this.token }, { $set: { entered: this.entered } });
    if (matched === 0) throw new Fenced(database);
  }
}
