import { type Fence, writeBehind } from '../../src/platform/cluster/fence.js';
import {
  type DocumentDatabase,
  type DocumentTransaction,
  type WholeWrite,
} from '../../src/platform/documents/document-store.js';
import { writeIn } from '../../src/platform/documents/whole-write.js';
import { Deferred } from '../../src/platform/kernel/deferred.js';
import type { BatchCollection } from './pending-changes.js';

/**
 * Reads for a part of a batch, and its one transaction. Reads see the parts before. They need no transaction, because
 * nobody else writes the database; a write that later reads must see begins one.
 */
export class PartWriter {
  private opened: Promise<DocumentTransaction> | null = null;
  /** What the opened transaction writes at its end. */
  private readonly end = new Deferred<WholeWrite>();
  private transaction: Promise<void> = Promise.resolve();

  /** @param before the write of the part before */
  constructor(
    private readonly database: DocumentDatabase,
    private readonly fence: Fence | undefined,
    private readonly before: Promise<void>,
  ) {
    // Perhaps no transaction waits for it.
    this.end.promise.catch(() => {});
  }

  collection(name: string): BatchCollection {
    const reads = async (): Promise<BatchCollection> => {
      if (this.opened) return (await this.opened).collection(name);
      await this.before;
      return this.database.collection(name);
    };
    return {
      findOne: async (filter, options) => (await reads()).findOne(filter, options),
      find: async (filter, options) => (await reads()).find(filter, options),
      countDocuments: async (filter) => (await reads()).countDocuments(filter),
      bulkWrite: async (operations) => (await this.open()).collection(name).bulkWrite(operations),
    };
  }

  /** Resolves when the part before is stored. */
  async ready(): Promise<void> {
    await this.before;
  }

  /** Writes after the part before, and ends the transaction. */
  async finish(write: WholeWrite): Promise<void> {
    await this.before;
    if (!this.opened) return writeBehind(this.fence, this.database, write);
    this.end.resolve(write);
    await this.transaction;
  }

  /** Takes back what is written. */
  async giveUp(reason: unknown): Promise<void> {
    this.end.reject(reason);
    await this.transaction.catch(() => {});
  }

  private open(): Promise<DocumentTransaction> {
    this.opened ??= this.begin();
    return this.opened;
  }

  private async begin(): Promise<DocumentTransaction> {
    await this.before;
    const begun = new Deferred<DocumentTransaction>();
    this.transaction = this.database.transaction(async (transaction) => {
      begun.resolve(transaction);
      const write = await this.end.promise;
      if (this.fence) await this.fence.writeIn(transaction, this.database.name, write);
      else await writeIn(transaction, this.database.name, write);
    });
    this.transaction.catch((error: unknown) => begun.reject(error));
    return begun.promise;
  }
}
