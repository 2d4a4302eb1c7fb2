import { MongoDocumentStore } from '../../src/platform/documents/mongodb/mongo-document-store.js';
import { describeMongodb, ownDatabase, shortfallsOfServer } from '../support/engines/mongodb.js';
import { documentStoreContract } from './document-store.contract.js';

const shortfalls = await shortfallsOfServer();

describeMongodb('documents in MongoDB', () => {
  const open = async () => {
    const database = ownDatabase();
    const options = { explains: !shortfalls.rowsExamined };
    let connection = await database.connect();
    let store = await MongoDocumentStore.open(connection, options);
    const reopen = async () => {
      await store.close();
      await connection.close();
      connection = await database.connect();
      store = await MongoDocumentStore.open(connection, options);
      return store;
    };
    const cleanup = () => store.close().finally(database.remove);
    return { store, reopen, cleanup };
  };
  documentStoreContract('MongoDB', open, shortfalls);
});
