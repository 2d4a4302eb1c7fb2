import { expect, it } from '@jest/globals';
import { openOrganization } from '../../../src/app/cli/open-organization.js';
import { readConfig } from '../../../src/app/config/read-config.js';
import { startServer } from '../../../src/app/server.js';
import { EventStoreDbServer } from '../../support/engines/eventstoredb/server.js';
import { describeMongodb, disturbedServer, ownDatabase } from '../../support/engines/mongodb.js';
import { withScratch } from '../../support/scratch.js';

/** MongoDB's commands that write. */
const WRITES = ['insert', 'update', 'delete', 'findAndModify', 'create', 'createIndexes', 'collMod', 'drop'];

/** The name of a command as it stands in a request, a BSON text field. */
const inBson = (command: string): string => `${String.fromCharCode(2)}${command}${String.fromCharCode(0)}`;

describeMongodb('a command that only reads', () => {
  it('writes nothing, and needs no permission to write', () =>
    withScratch(async (dataDirectory) => {
      const log = await EventStoreDbServer.start();
      const { proxy, server } = await disturbedServer();
      const direct = ownDatabase();
      const watched = ownDatabase(server, direct.name);
      try {
        const environment = {
          EVENTSTORE_URL: log.url,
          MONGODB_URL: direct.url,
          ANNALS_DATA_DIR: dataDirectory,
          ANNALS_PORT: '0',
          ANNALS_LOG_LEVEL: 'error',
        };
        await (await startServer(readConfig('start', {}, environment))).close();
        await log.denyAppends();
        let asked = '';
        proxy.onAsked = (bytes) => (asked += bytes.toString('latin1'));
        const distributed = { eventStoreUrl: log.url, streamPrefix: '', mongodbUrl: watched.url };
        const engines = await openOrganization({ dataDirectory, distributed, readOnly: true });
        expect((await engines.eventStore.readAll({ after: 0, limit: 9 })).events).not.toEqual([]);
        await engines.contentKeys.getMany(['of nothing']);
        await engines.close();
        expect(asked).toContain(inBson('find'));
        expect(WRITES.filter((command) => asked.includes(inBson(command)))).toEqual([]);
      } finally {
        await watched.close();
        await proxy.close();
        await direct.remove();
        await log.stop();
      }
    }));
});
