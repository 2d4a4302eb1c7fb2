import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { type EventStoreDBClient, streamNameFilter } from '@eventstore/db-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';
import { eventually } from '../support/eventually.js';
import { connect, event, events, failureOf, isPending, PLAIN, readAll, readStream } from './client.js';

let server: EventStoreDbServer;
let client: EventStoreDBClient;
let stream: string;

const UNAVAILABLE = { type: 'unavailable', code: 14 };

/** A live subscription without events, and the failure that ends it. */
async function liveSubscription() {
  const subscription = client.subscribeToAll({ filter: streamNameFilter({ prefixes: ['quiet'] }) });
  const failed = new Promise<unknown>((resolve) => subscription.on('error', resolve));
  const live = new Promise<void>((resolve) => subscription.on('caughtUp', resolve));
  subscription.resume();
  await live;
  return { failed };
}

describe('the stand-in', () => {
  beforeAll(async () => {
    server = await EventStoreDbServer.start({ grace: 1500 });
  });
  beforeEach(async () => {
    client = connect(server.url);
    stream = randomUUID();
    await client.appendToStream(stream, event());
  });
  afterEach(async () => {
    await client.dispose();
    await server.restore();
  });
  afterAll(() => server.stop());

  it.each([
    ['batch', {}],
    ['plain', PLAIN],
  ] as const)('writes the asked number of appends and loses their answers, on the %s path', async (_, path) => {
    await server.loseAnswers(2);
    for (const length of [2, 3]) {
      expect(await failureOf(client.appendToStream(stream, event(), path))).toMatchObject(UNAVAILABLE);
      expect(await readStream(client, stream)).toHaveLength(length);
    }
    expect(await client.appendToStream(stream, event(), path)).toMatchObject({ nextExpectedRevision: 3n });
  });

  it('refuses every call as unavailable, including open ones, until it is restored', async () => {
    const { failed } = await liveSubscription();
    await server.refuse();
    expect(await failed).toMatchObject(UNAVAILABLE);
    expect(await failureOf(client.appendToStream(stream, event()))).toMatchObject({ code: 14 });
    expect(await failureOf(readStream(client, stream))).toMatchObject(UNAVAILABLE);
    expect(await failureOf(client.deleteStream(stream))).toMatchObject(UNAVAILABLE);
    await server.restore();
    expect(await readStream(client, stream)).toHaveLength(1);
  });

  it('accepts and never answers, on old connections and on new ones', async () => {
    const other = connect(server.url);
    await server.acceptAndNeverAnswer();
    const calls = [
      client.appendToStream(stream, event()),
      client.appendToStream(stream, event(), { ...PLAIN, deadline: 60_000 }),
      readStream(client, stream),
      readAll(other),
      other.appendToStream(stream, event()),
    ];
    const failures = Promise.all(calls.map(failureOf));
    const bytes: Buffer[] = [];
    const socket = createConnection(server.port, '127.0.0.1').on('data', (chunk) => bytes.push(chunk));
    await once(socket, 'connect');
    // A call with a shorter deadline ends in the meantime.
    const inTime = client.appendToStream(stream, event(), { ...PLAIN, deadline: 500 });
    expect(await failureOf(inTime)).toMatchObject({ type: 'deadline-exceeded' });
    for (const call of calls) expect(await isPending(call)).toBe(true);
    expect(bytes).toEqual([]);

    await server.restore();
    for (const failure of await failures) expect(failure).toMatchObject({ code: 14 });
    expect(await readStream(client, stream)).toHaveLength(1);
    await other.dispose();
  });

  it('drops live subscriptions on command', async () => {
    const { failed } = await liveSubscription();
    await server.dropSubscriptions();
    expect(await failed).toMatchObject({ type: 'timeout', code: 10 });
  });

  it('denies access', async () => {
    await server.denyAccess();
    const denied = { type: 'access-denied' };
    expect(await failureOf(client.appendToStream(stream, event()))).toMatchObject(denied);
    expect(await failureOf(client.appendToStream(stream, event(), PLAIN))).toMatchObject(denied);
    expect(await failureOf(readStream(client, stream))).toMatchObject(denied);
    await server.restore();
    expect(await readStream(client, stream)).toHaveLength(1);
  });

  it('reports the version that the test sets', async () => {
    const version = async (): Promise<string> => {
      const asking = connect(server.url);
      const { serverVersion } = await (asking as unknown as { capabilities: Promise<{ serverVersion: string }> })
        .capabilities;
      await asking.dispose();
      return serverVersion;
    };
    expect(await version()).toBe('23.10.6');
    await server.version('22.10.0');
    expect(await version()).toBe('22.10.0');
  });

  it('keeps acknowledged events when it is killed, and then serves the same client', async () => {
    const { failed } = await liveSubscription();
    const acknowledged: string[] = [];
    let failures = 0;
    const writing = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (;;) {
          const sent = events(16);
          try {
            await client.appendToStream(stream, sent);
          } catch {
            failures += 1;
            return;
          }
          acknowledged.push(...sent.map(({ id }) => id));
        }
      }),
    );
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(320));
    await server.kill();
    await writing;
    expect(failures).toBe(8);
    expect(await failed).toMatchObject(UNAVAILABLE);
    expect(await failureOf(readStream(client, stream))).toMatchObject(UNAVAILABLE);
    const bare = await failureOf(connect(server.url).appendToStream(stream, event()));
    expect(bare).toMatchObject({ code: 14 });
    expect(bare).not.toHaveProperty('type');

    await server.restart();
    const found = await eventually(() => readStream(client, stream));
    const kept = new Set(found.map(({ id }) => id));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    // One event was there before. All others came in whole appends of 16.
    expect((kept.size - 1) % 16).toBe(0);
  });

  it('serves for a while after a SIGTERM, then fails the open calls', async () => {
    const { failed } = await liveSubscription();
    const ended = server.terminate();
    await client.appendToStream(stream, event());
    expect(await failed).toMatchObject({ type: 'unknown', code: 13 });
    await ended;
    await server.restart();
    expect(await readStream(client, stream)).toHaveLength(2);
  });

  it('answers nothing while it is frozen, and goes on afterwards', async () => {
    server.freeze();
    const append = client.appendToStream(stream, event());
    const inTime = client.appendToStream(stream, event(), { ...PLAIN, deadline: 300 });
    expect(await failureOf(inTime)).toMatchObject({ type: 'deadline-exceeded' });
    expect(await isPending(append)).toBe(true);
    server.thaw();
    expect(await append).toMatchObject({ success: true });
  });

  it.each(['esdb+discover://127.0.0.1:PORT?tls=false', 'esdb://127.0.0.1:PORT,127.0.0.1:PORT?tls=false'])(
    'is found by %s',
    async (url) => {
      const discovering = connect(url.replaceAll('PORT', String(server.port)));
      expect(await readStream(discovering, stream)).toHaveLength(1);
      await discovering.dispose();
    },
  );
});
