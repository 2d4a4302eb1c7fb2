import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type DocumentDatabase, DocumentStoreUnavailable } from '../../../src/platform/documents/document-store.js';
import { Deferred } from '../../../src/platform/kernel/deferred.js';
import { scratchDirectory } from '../../support/engines/document-store-directory.js';
import { eventually } from '../../support/eventually.js';
import { applications, Roster, roster, userCreated } from '../../support/projections/roster.js';

Logger.overrideLogger(false);

type Write = DocumentDatabase['write'];

describe('projections that follow the log together', () => {
  let directory: ReturnType<typeof scratchDirectory>;
  let server: Roster;
  /** What a write of the roster's documents does first. */
  let beforeWrite: () => Promise<void>;

  beforeEach(async () => {
    directory = scratchDirectory();
    beforeWrite = async () => {};
    server = await Roster.open({ dataDirectory: directory.path });
    const { documentStore } = server.engines;
    const open = documentStore.database.bind(documentStore);
    documentStore.database = async (name) => {
      const database = await open(name);
      if (!name.startsWith('roster.')) return database;
      const write: Write = database.write.bind(database);
      database.write = async (whole) => {
        await beforeWrite();
        return write(whole);
      };
      return database;
    };
  });
  afterEach(async () => {
    await server.close();
    await directory.remove();
  });

  it('do not wait for one that takes long, which is behind and catches up alone', async () => {
    await server.runner.start();
    const released = new Deferred<void>();
    beforeWrite = () => released.promise;
    await server.append(userCreated(1));
    const position = await server.append(userCreated(2));
    await eventually(() => expect(server.runner.position(applications)).toBe(position));
    expect(server.runner.position(roster)).toBeLessThan(position);
    expect(server.statusOf(roster)).toMatchObject({ upToDate: false, state: 'running' });

    released.resolve();
    await server.append(userCreated(3));
    await server.caughtUp();
    expect(await server.people()).toHaveLength(3);
    expect(await server.timesApplied()).toEqual([1]);
    await eventually(() => expect(server.statusOf(roster).upToDate).toBe(true));
  });

  it('show the stall of a first build in progress, and stop all the same', async () => {
    await server.append(userCreated(1));
    beforeWrite = () => Promise.reject(new DocumentStoreUnavailable('refused', { isRefusal: true }));
    const started = server.runner.start();
    started.catch(() => {});
    await eventually(() => expect(server.statusOf(roster).error?.message).toMatch('refused'));
    await server.runner.close();
  });
});
