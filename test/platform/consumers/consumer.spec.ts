import { describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { Consumer } from '../../../src/platform/consumers/consumer.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { Deferred } from '../../../src/platform/kernel/deferred.js';
import { START } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { withScratch } from '../../support/scratch.js';

describe('a consumer of the log', () => {
  it('finishes its start before it closes', () =>
    withScratch(async (folder) => {
      const [eventStore, documentStore] = [await SqliteEventStore.open(folder), await SqliteDocumentStore.open(folder)];
      const keys = await SqliteContentKeys.open(folder);
      const [began, checkpointIsKnown] = [new Deferred<void>(), new Deferred<void>()];
      const order: string[] = [];
      const consumer = new Consumer({
        eventStore,
        documentStore,
        codec: new EventCodec(keys, eventRegistry),
        report: () => {},
        name: 'consumer',
        database: 'consumer',
        types: ['UsersSubscribed'],
        startAfter: async () => {
          began.resolve();
          await checkpointIsKnown.promise;
          return START;
        },
        handle: async () => {},
      });
      const started = consumer.start().then(() => order.push('started'));
      await began.promise;
      const closed = consumer.close().then(() => order.push('closed'));
      await (await documentStore.database('another')).close();
      checkpointIsKnown.resolve();
      await Promise.all([started, closed]);
      expect(order).toEqual(['started', 'closed']);
      await Promise.all([keys.close(), documentStore.close(), eventStore.close()]);
    }));
});
