import { type IndexDescription, MongoServerError } from 'mongodb';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { readAll } from '../../mongodb/read-all.js';
import { indexName, type StoredIndex } from '../stored-index.js';
import type { Native } from './document-query.js';
import { layoutOf, type StoredLayout } from './layout.js';
import { SEARCH_FIELD, searchField, TEXT_INDEX } from './text-fields.js';

const BACKFILL_CHUNK = 1000;
/** Longest time for building an index, which reads the whole collection: ms. */
const BUILD_BOUND = 3_600_000;
const NAMESPACE_EXISTS = 48;

/** Creates a missing collection, its indexes, and the terms of its documents. Other processes may do so meanwhile. */
export async function ensureCollection(
  connection: MongoConnection,
  name: string,
  native: Native,
  before: StoredLayout,
  layout: StoredLayout,
): Promise<void> {
  await create(connection, native);
  if (searchSettingsOf(before) !== searchSettingsOf(layout)) await writeTerms(connection, native, name, layout);
  const indexes = indexDescriptions(layout);
  if (indexes.length > 0) await connection.call(() => native.createIndexes(indexes), BUILD_BOUND);
}

/** Everything that the text index depends on. */
const searchSettingsOf = ({ text, scope = [], html = [], language, words = 1 }: StoredLayout): string =>
  JSON.stringify([text, scope, ...(text.length > 0 ? [html, language, words] : [])]);

async function create(connection: MongoConnection, native: Native): Promise<void> {
  try {
    await connection.call(() => connection.database.createCollection(native.collectionName));
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === NAMESPACE_EXISTS)) throw error;
  }
}

async function writeTerms(
  connection: MongoConnection,
  native: Native,
  name: string,
  stored: StoredLayout,
): Promise<void> {
  const layout = layoutOf(name, stored);
  const options = { sort: { _id: 1 }, limit: BACKFILL_CHUNK, projection: { [SEARCH_FIELD]: 0 } } as const;
  const chunkAfter = (last?: unknown) =>
    readAll(connection, native.find(last === undefined ? {} : { _id: { $gt: last as string } }, options));
  for (let chunk = await chunkAfter(); chunk.length > 0; chunk = await chunkAfter(chunk.at(-1)?._id)) {
    const updates = chunk.map((document) => {
      const words = searchField(layout, document);
      const update = words ? { $set: { [SEARCH_FIELD]: words } } : { $unset: { [SEARCH_FIELD]: '' } };
      return { updateOne: { filter: { _id: document._id }, update } };
    });
    await connection.call(() => native.bulkWrite(updates as Parameters<Native['bulkWrite']>[0]), BUILD_BOUND);
  }
}

/** A collection's indexes in MongoDB's terms. */
function indexDescriptions({ indexes, text }: StoredLayout): IndexDescription[] {
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
