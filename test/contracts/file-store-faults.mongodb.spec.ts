import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { FileStoreUnavailable } from '../../src/platform/file-store/file-store.js';
import { MongoFileStore } from '../../src/platform/file-store/mongodb/mongo-file-store.js';
import { describeMongodb, disturbedServer, ownDatabase } from '../support/engines/mongodb.js';
import type { TcpProxy } from '../support/outside/tcp-proxy.js';

const CALL = 1000;

async function* pieces(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

const newName = (): string => randomBytes(18).toString('base64url');

describeMongodb('uploaded files in a MongoDB that fails', () => {
  it.each([
    ['disconnects', (proxy: TcpProxy) => proxy.cut()],
    ['stops answering', async (proxy: TcpProxy) => proxy.freeze()],
  ])('are unavailable if it %s within an upload, and are complete or absent afterwards', async (_, disturb) => {
    const { proxy, server } = await disturbedServer();
    const direct = ownDatabase();
    const disturbed = ownDatabase(server, direct.name);
    try {
      const files = await MongoFileStore.open(await disturbed.connect({ findServer: CALL, call: CALL }));
      const kept = newName();
      await files.receive(kept, pieces('kept'));
      const cut = newName();
      const content = async function* () {
        yield randomBytes(600_000);
        await disturb(proxy);
        yield randomBytes(600_000);
      };
      await expect(files.receive(cut, content())).rejects.toThrow(FileStoreUnavailable);
      await expect(files.read(kept)).rejects.toThrow(FileStoreUnavailable);
      await expect(files.remove([kept])).rejects.toThrow(FileStoreUnavailable);

      const again = await MongoFileStore.open(await direct.connect());
      expect(await again.read(cut)).toBeNull();
      const found = await again.read(kept);
      expect(found && (await buffer(found.content)).toString()).toBe('kept');
    } finally {
      await disturbed.close();
      await proxy.close();
      await direct.remove();
    }
  });
});
