import { MongoContentKeys } from '../../src/platform/content-keys/mongodb/mongo-content-keys.js';
import { describeMongodb, ownDatabase } from '../support/engines/mongodb.js';
import { contentKeysContract } from './content-keys.contract.js';

describeMongodb('content keys in MongoDB', () => {
  contentKeysContract('MongoDB', async () => {
    const database = ownDatabase();
    let keys = await MongoContentKeys.open(await database.connect());
    const reopen = async () => {
      await keys.close();
      keys = await MongoContentKeys.open(await database.connect());
      return keys;
    };
    const cleanup = () => keys.close().finally(database.remove);
    return { keys, reopen, cleanup };
  });
});
