import type { DocumentTransaction } from '../../src/platform/documents/document-store.js';
import { Deferred } from '../../src/platform/kernel/deferred.js';
import type { BatchCollection } from './pending-changes.js';

/** Collections of a transaction that has not begun: their calls wait for it. */
export class DeferredTransaction {
  private readonly begun = new Deferred<DocumentTransaction>();

  constructor() {
    // Perhaps no call waits for it.
    this.begun.promise.catch(() => {});
  }

  begin(transaction: DocumentTransaction): void {
    this.begun.resolve(transaction);
  }

  /** The transaction will not begin. */
  refuse(reason: unknown): void {
    this.begun.reject(reason);
  }

  collection(name: string): BatchCollection {
    const collection = async (): Promise<BatchCollection> => (await this.begun.promise).collection(name);
    return {
      findOne: async (filter, options) => (await collection()).findOne(filter, options),
      find: async (filter, options) => (await collection()).find(filter, options),
      countDocuments: async (filter) => (await collection()).countDocuments(filter),
      bulkWrite: async (operations) => (await collection()).bulkWrite(operations),
    };
  }
}
