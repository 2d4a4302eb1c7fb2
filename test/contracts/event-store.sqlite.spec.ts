import { SqliteEventStore } from '../../src/platform/log/sqlite/sqlite-event-store.js';
import { temporaryDirectory } from '../support/engines/event-store-directory.js';
import { eventStoreContract } from './event-store.contract.js';

eventStoreContract('SQLite', async () => {
  const directory = temporaryDirectory();
  let store = await SqliteEventStore.open(directory.path);
  const reopen = async () => {
    await store.close();
    store = await SqliteEventStore.open(directory.path);
    return store;
  };
  const cleanup = () => store.close().finally(directory.remove);
  return { store, reopen, cleanup };
});
