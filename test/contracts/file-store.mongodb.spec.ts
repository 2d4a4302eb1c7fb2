import { MongoFileStore } from '../../src/platform/file-store/mongodb/mongo-file-store.js';
import { describeMongodb, ownDatabase } from '../support/engines/mongodb.js';
import { fileStoreContract } from './file-store.contract.js';

const DAY_MS = 86_400_000;

describeMongodb('uploaded files in MongoDB', () => {
  fileStoreContract('MongoDB', async () => {
    const database = ownDatabase();
    const connection = await database.connect();
    const files = await MongoFileStore.open(connection);
    const later = async () => {
      const since = new Date(Date.now() - DAY_MS);
      await connection.database.collection('uploads.incoming').updateMany({}, { $set: { since } });
      return MongoFileStore.open(await database.connect());
    };
    const cleanup = () => files.close().finally(database.remove);
    return { files, later, cleanup };
  });
});
