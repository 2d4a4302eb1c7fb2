import type {
  Collection,
  CollectionSpec,
  DocumentStore,
  StoredDocument,
} from '../../../src/platform/documents/document-store.js';
import type { Shortfalls } from './document-store-shortfalls.js';

export interface Thing extends StoredDocument {
  readonly [field: string]: unknown;
}

let made = 0;

/** Makes an empty collection that no other test uses. */
export async function newCollection(store: DocumentStore, spec: CollectionSpec = {}): Promise<Collection<Thing>> {
  const database = await store.database('contract');
  const name = `things${++made}`;
  await database.ensure({ [name]: spec });
  return database.collection<Thing>(name);
}

export async function filled(store: DocumentStore, spec: CollectionSpec, documents: readonly Thing[]) {
  const collection = await newCollection(store, spec);
  await collection.bulkWrite(documents.map((document) => ({ insertOne: { document } })));
  return collection;
}

export async function allOf(collection: Collection<Thing>): Promise<Thing[]> {
  return collection.find({}, { sort: { _id: 1 }, limit: 100_000 });
}

/** Counts the documents that the store examines and returns during `work`; 0 if a stand-in cannot tell. */
export async function examinedBy<T>(store: DocumentStore, work: () => Promise<T>, shortfalls: Shortfalls = {}) {
  if (shortfalls.rowsExamined) return { result: await work(), examined: 0, returned: 0 };
  const before = store.rowsExamined();
  const result = await work();
  const after = store.rowsExamined();
  return { result, examined: after.examined - before.examined, returned: after.returned - before.returned };
}
