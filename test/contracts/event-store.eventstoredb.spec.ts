import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { EventStoreDbEventStore } from '../../src/platform/log/eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';
import { eventStoreContract } from './event-store.contract.js';

describe('EventStoreDB', () => {
  let server: EventStoreDbServer | undefined;
  beforeAll(async () => {
    if (!process.env.EVENTSTORE_URL) server = await EventStoreDbServer.start();
  });
  afterAll(() => server?.stop());

  eventStoreContract('EventStoreDB', async () => {
    const url = process.env.EVENTSTORE_URL || (server?.url ?? '');
    const options = { url, streamPrefix: `t${randomUUID().slice(0, 8)}-` };
    let store = await EventStoreDbEventStore.open(options);
    const reopen = async () => {
      await store.close();
      store = await EventStoreDbEventStore.open(options);
      return store;
    };
    return { store, reopen, cleanup: () => store.close() };
  });
});
