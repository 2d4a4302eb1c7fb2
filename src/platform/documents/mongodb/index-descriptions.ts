import type { IndexDescription } from 'mongodb';
import { indexName, type StoredIndex } from '../stored-index.js';
import type { StoredLayout } from './layout.js';
import { TEXT_INDEX } from './text-fields.js';

/** A collection's indexes in MongoDB's terms. */
export function indexDescriptions({ indexes, text }: StoredLayout): IndexDescription[] {
  return [...indexes.map(indexDescription), ...(text.length > 0 ? [TEXT_INDEX] : [])];
}

/** MongoDB's own `sparse` would leave out of a compound index only the documents that lack every key. */
function indexDescription(index: StoredIndex): IndexDescription {
  const [[first] = ['']] = index.keys;
  return {
    key: new Map(index.keys),
    name: indexName(index),
    ...(index.sparse ? { partialFilterExpression: { [first]: { $exists: true } } } : {}),
  };
}
