import { DiskFileStore } from '../../src/platform/file-store/disk/disk-file-store.js';
import { temporaryDirectory } from '../support/engines/event-store-directory.js';
import { fileStoreContract } from './file-store.contract.js';

fileStoreContract('disk', async () => {
  const directory = temporaryDirectory();
  const files = await DiskFileStore.open(directory.path);
  const later = () => DiskFileStore.open(directory.path);
  const cleanup = () => files.close().finally(directory.remove);
  return { files, later, cleanup };
});
