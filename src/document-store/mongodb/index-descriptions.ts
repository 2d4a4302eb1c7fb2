import type { IndexDescription } from 'mongodb';
import { indexName, type StoredIndex } from '../stored-index.js';
import type { StoredLayout } from './layout.js';
import { TEXT_INDEX } from './text-fields.js';

/** The indexes of a collection as MongoDB is asked for them. */
export function indexDescriptions({ indexes, text }: StoredLayout): IndexDescription[] {
  return [...indexes.map(indexDescription), ...(text.length > 0 ? [TEXT_INDEX] : [])];
}

/**
 * MongoDB's `sparse` leaves a document out of a compound index only where it lacks every key. That is the port's
 * meaning too, and matters where the index is unique; elsewhere, one without the first key is never looked for.
 */
function indexDescription(index: StoredIndex): IndexDescription {
  const [[first] = ['']] = index.keys;
  return {
    key: new Map(index.keys),
    name: indexName(index),
    ...(index.unique ? { unique: true, sparse: index.sparse } : {}),
    ...(index.sparse && !index.unique ? { partialFilterExpression: { [first]: { $exists: true } } } : {}),
  };
}
