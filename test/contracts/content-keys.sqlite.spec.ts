import { SqliteContentKeys } from '../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { temporaryDirectory } from '../support/engines/event-store-directory.js';
import { contentKeysContract } from './content-keys.contract.js';

contentKeysContract('SQLite', async () => {
  const directory = temporaryDirectory();
  let keys = await SqliteContentKeys.open(directory.path);
  const reopen = async () => {
    await keys.close();
    keys = await SqliteContentKeys.open(directory.path);
    return keys;
  };
  const cleanup = () => keys.close().finally(directory.remove);
  return { keys, reopen, cleanup };
});
