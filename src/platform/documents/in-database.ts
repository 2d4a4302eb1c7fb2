import type { CollectionSpec, DocumentDatabase, DocumentStore } from './document-store.js';

type Collections = Readonly<Record<string, CollectionSpec>>;

/** Works with a database and its collections, and closes it in the end. */
export async function inDatabase<T>(
  store: DocumentStore,
  name: string,
  collections: Collections,
  work: (database: DocumentDatabase) => Promise<T>,
): Promise<T> {
  const database = await store.database(name);
  try {
    await database.ensure(collections);
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Works with a database like `inDatabase` if it is there. Opening it would create it. @returns null: it is not there */
export async function inExisting<T>(
  store: DocumentStore,
  name: string,
  collections: Collections,
  work: (database: DocumentDatabase) => Promise<T>,
): Promise<T | null> {
  return (await store.databases()).includes(name) ? inDatabase(store, name, collections, work) : null;
}
