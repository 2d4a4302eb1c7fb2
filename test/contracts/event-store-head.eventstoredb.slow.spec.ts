import { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventStoreDbEventStore } from '../../src/platform/log/eventstoredb/eventstoredb-event-store.js';
import { SharedLog } from '../../src/platform/log/eventstoredb/shared-log.js';
import { DEFAULT_TIMINGS } from '../../src/platform/log/eventstoredb/timings.js';
import { idsOf, newEvent, ownStreams } from '../support/engines/event-store-events.js';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';
import { TcpProxy } from '../support/outside/tcp-proxy.js';

const SIZE = 1000;
const large = () => newEvent('Added', { text: 'x'.repeat(SIZE) });

describe('the head of a log on EventStoreDB with other logs on the same server', () => {
  const name = ownStreams();
  const closers: (() => Promise<unknown>)[] = [];
  let server: EventStoreDbServer;
  let ours: EventStoreDbEventStore;
  let others: EventStoreDbEventStore;

  async function opened(streamPrefix: string, port = server.port): Promise<EventStoreDbEventStore> {
    const url = `esdb://127.0.0.1:${port}?tls=false`;
    const store = await EventStoreDbEventStore.open({ url, streamPrefix });
    closers.unshift(() => store.close());
    return store;
  }

  /** A process that does not follow the log yet. It learns the head only by reading it. */
  function onlyAsking(): SharedLog {
    const log = SharedLog.acquire(`${server.url}&connectionName=asking`, name('ours-'), DEFAULT_TIMINGS);
    closers.unshift(() => log.release());
    return log;
  }

  async function othersWrite(count: number, stream = 'loud'): Promise<number> {
    let position = 0;
    for (let left = count; left > 0; left -= 500) {
      ({ position } = await others.append(stream, Array.from({ length: Math.min(left, 500) }, large), 'any'));
    }
    return position;
  }

  beforeAll(async () => {
    // The server writes no events of its own, which would lie between the events of the test.
    server = await EventStoreDbServer.start({ systemEventEvery: 1_000_000 });
  });
  beforeEach(async () => {
    ours = await opened(name('ours-'));
    others = await opened(name('others-'));
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  afterAll(() => server.stop());

  it('is found without reading the events that other logs got since the last look', async () => {
    const proxy = await TcpProxy.to('127.0.0.1', server.port);
    closers.unshift(() => proxy.close());
    const store = await opened(name('ours-'), proxy.port);
    const { position } = await ours.append('users', [newEvent('Added')], 'any');
    expect(await store.head()).toBe(position);
    for (let look = 0; look < 3; look += 1) {
      await othersWrite(3000);
      const before = proxy.bytesAnswered;
      expect(await store.head()).toBe(position);
      expect(proxy.bytesAnswered - before).toBeLessThan(100 * SIZE);
    }
  });

  it('is an event just acknowledged to another process, however many events of other logs follow it', async () => {
    const log = onlyAsking();
    for (const noise of [0, 1, 20, 100, 700]) {
      await othersWrite(noise);
      const { position } = await ours.append('users', [newEvent('Added'), newEvent('Added')], 'any');
      await othersWrite(noise);
      expect(await log.head.read()).toBe(position);
      expect(await log.head.read()).toBe(position);
    }
  });

  it('is found after the last event of an earlier look was scavenged', async () => {
    const log = onlyAsking();
    const { position: first } = await ours.append('users', [newEvent('Added')], 'any');
    const looked = await othersWrite(100, 'scavenged');
    expect(await log.head.read()).toBe(first);
    const event = newEvent('Added');
    const { position } = await ours.append('users', [event], 'any');
    await othersWrite(1, 'scavenged');
    await othersWrite(100);

    const client = EventStoreDBClient.connectionString(server.url);
    closers.unshift(() => client.dispose());
    await client.setStreamMetadata(`${name('others-')}scavenged`, { maxCount: 1 });
    await server.scavenge();
    expect(await log.head.read()).toBe(position);

    // A follower goes on from the scavenged position, too.
    const options = { after: looked, head: position, limit: 10, filter: undefined };
    const parts = log.catchUp.run({ ...options, signal: new AbortController().signal });
    const followed: string[] = [];
    for await (const { events } of parts) followed.push(...idsOf(events));
    expect(followed).toEqual([event.id]);
  });
});
