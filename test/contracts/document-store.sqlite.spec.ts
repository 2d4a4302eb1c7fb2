import { SqliteDocumentStore } from '../../src/platform/documents/sqlite/sqlite-document-store.js';
import { scratchDirectory } from '../support/engines/document-store-directory.js';
import { documentStoreContract } from './document-store.contract.js';

const contract = (name: string, options: Parameters<typeof SqliteDocumentStore.open>[1]): void =>
  documentStoreContract(name, async () => {
    const directory = scratchDirectory();
    let store = await SqliteDocumentStore.open(directory.path, options);
    const reopen = async () => {
      await store.close();
      store = await SqliteDocumentStore.open(directory.path, options);
      return store;
    };
    const cleanup = () => store.close().finally(directory.remove);
    return { store, reopen, cleanup };
  });

contract('SQLite', {});
contract('SQLite with a thread that writes', { threadAfter: 0 });
