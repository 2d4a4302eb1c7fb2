import { expect, it } from '@jest/globals';
import { EventStoreDbEventStore } from '../../src/platform/log/eventstoredb/eventstoredb-event-store.js';
import { followLog } from '../../src/platform/log/follow-log.js';
import { newEvent } from '../support/engines/event-store-events.js';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';
import { eventually } from '../support/eventually.js';

it('a follower of the log reports an outage once, however often it retries, and the next outage again', async () => {
  const server = await EventStoreDbServer.start();
  const store = await EventStoreDbEventStore.open({ url: server.url, streamPrefix: 'f-' });
  const stop = new AbortController();
  const told: unknown[] = [];
  let [position, attempts, seen] = [0, 0, 0];
  const following = followLog(store, {
    after: () => {
      attempts += 1;
      return position;
    },
    signal: stop.signal,
    deliver: async (batch) => {
      position = batch.position;
      seen += batch.events.length;
    },
    interrupted: (error) => told.push(error),
  });
  try {
    for (const times of [1, 2]) {
      await eventually(() => store.append('users', [newEvent('Added')], 'any'));
      await eventually(() => expect(seen).toBe(times));
      await server.kill();
      const before = attempts;
      await eventually(() => expect(attempts).toBeGreaterThan(before + 4));
      expect(told).toHaveLength(times);
      await server.restart();
    }
  } finally {
    stop.abort();
    await following;
    await store.close();
    await server.stop();
  }
});
