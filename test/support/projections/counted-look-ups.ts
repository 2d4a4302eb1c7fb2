import type { DocumentDatabase, StoredDocument } from '../../../src/platform/documents/document-store.js';

/** Look-ups of one document. */
interface CountedLookUps {
  readonly count: number;
  /** Counts no more. */
  end(): void;
}

/** Counts the look-ups in a database, those of others that have it open included. */
export function countedLookUps(database: DocumentDatabase): CountedLookUps {
  const collection = database.collection.bind(database);
  let count = 0;
  database.collection = <D extends StoredDocument>(name: string) => {
    const all = collection<D>(name);
    const findOne = all.findOne.bind(all);
    all.findOne = (...asked) => {
      count++;
      return findOne(...asked);
    };
    return all;
  };
  return {
    get count() {
      return count;
    },
    end: () => {
      database.collection = collection;
    },
  };
}
