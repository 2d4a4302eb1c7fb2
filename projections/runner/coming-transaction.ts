import type { DocumentTransaction } from '../../src/document-store/document-store.js';
import type { BatchCollection } from './pending-changes.js';

/** A transaction that may not have begun: what is asked of it waits until it has. */
export class ComingTransaction {
  begin: (transaction: DocumentTransaction) => void = () => {};
  /** It will not begin. */
  refuse: (reason: unknown) => void = () => {};
  private readonly begun = new Promise<DocumentTransaction>((resolve, reject) => {
    this.begin = resolve;
    this.refuse = reject;
  });

  constructor() {
    // Maybe nobody asks anything of it.
    this.begun.catch(() => {});
  }

  collection(name: string): BatchCollection {
    const collection = async (): Promise<BatchCollection> => (await this.begun).collection(name);
    return {
      findOne: async (filter, options) => (await collection()).findOne(filter, options),
      find: async (filter, options) => (await collection()).find(filter, options),
      countDocuments: async (filter) => (await collection()).countDocuments(filter),
      bulkWrite: async (operations) => (await collection()).bulkWrite(operations),
    };
  }
}
