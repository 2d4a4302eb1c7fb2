import { SqliteDocumentStore } from '../../src/platform/documents/sqlite/sqlite-document-store.js';
import { scratchDirectory } from '../support/engines/document-store-directory.js';
import { documentStoreContract } from './document-store.contract.js';

documentStoreContract('SQLite', async () => {
  const directory = scratchDirectory();
  let store = await SqliteDocumentStore.open(directory.path);
  const reopen = async () => {
    await store.close();
    store = await SqliteDocumentStore.open(directory.path);
    return store;
  };
  const cleanup = () => store.close().finally(directory.remove);
  return { store, reopen, cleanup };
});
