import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StartRefused } from '../../src/platform/kernel/start-refused.js';
import { EventStoreDbEventStore } from '../../src/platform/log/eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';

/** For a server that gives no answer. */
const IMPATIENT = { open: 700, call: 400 };

async function refusalOf(url: string, timings = {}): Promise<string> {
  const outcome = await EventStoreDbEventStore.open({ url, streamPrefix: 'o-', timings }).catch((error) => error);
  expect(outcome).toBeInstanceOf(StartRefused);
  expect(outcome.message).not.toContain('\n');
  return outcome.message;
}

async function withListener(server: Server, use: (port: number) => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
}

describe('the opening of a log on EventStoreDB', () => {
  let server: EventStoreDbServer;
  beforeAll(async () => {
    server = await EventStoreDbServer.start();
  });
  afterAll(() => server.stop());

  it('reports the version of the server', async () => {
    const store = await EventStoreDbEventStore.open({ url: server.url, streamPrefix: 'o-' });
    expect(store.engineVersion()).toMatch(/^23\.10\./);
    await store.close();
  });

  it.each(['http://127.0.0.1:2113', 'esdb:127.0.0.1', 'esdb://', ''])('refuses the address %j', async (url) => {
    expect(await refusalOf(url)).toContain('esdb://host:2113');
  });

  it('refuses a file of certificates that does not exist', async () => {
    expect(await refusalOf('esdb://127.0.0.1:2113?tls=true&tlsCAFile=/nowhere/ca.pem')).toContain('certificate');
  });

  it('refuses to start when no server listens, and does not print the password', async () => {
    const message = await refusalOf('esdb://admin:hunter2@127.0.0.1:9?tls=false', IMPATIENT);
    expect(message).toContain('correct EVENTSTORE_URL');
    expect(message).not.toContain('hunter2');
  });

  it('finds a server that starts a little later', async () => {
    const late = await EventStoreDbServer.start();
    await late.kill();
    const opening = EventStoreDbEventStore.open({ url: late.url, streamPrefix: 'o-' });
    await late.restart();
    const store = await opening;
    expect(await store.head()).toBe(0);
    await store.close();
    await late.stop();
  });

  it('refuses a server without TLS if the address asks for TLS', async () => {
    expect(await refusalOf(server.url.replace('tls=false', 'tls=true'), IMPATIENT)).toContain('speaks no TLS');
  });

  it('refuses a server with TLS if the address asks for none', () =>
    // The server has no certificate. So it refuses the handshake with an alert, which is TLS.
    withListener(createTlsServer(), async (port) => {
      expect(await refusalOf(`esdb://127.0.0.1:${port}?tls=false`, IMPATIENT)).toContain('take tls=false out');
    }));

  it('refuses a server that accepts the connection and never answers', () =>
    withListener(
      createServer((socket) => socket.resume()),
      async (port) => {
        expect(await refusalOf(`esdb://127.0.0.1:${port}?tls=false`, IMPATIENT)).toMatch(/no answer|deadline/i);
      },
    ));

  it.each(['22.10.0', '5.0.11'])('refuses version %s', async (version) => {
    await server.version(version);
    expect(await refusalOf(server.url)).toContain(`is ${version}; 23.10 or later`);
    await server.restore();
  });

  it.each(['23.10.0', '24.10.1', '25.0.0'])('accepts version %s', async (version) => {
    await server.version(version);
    const store = await EventStoreDbEventStore.open({ url: server.url, streamPrefix: 'o-' });
    expect(store.engineVersion()).toBe(version);
    await store.close();
    await server.restore();
  });

  it('refuses a user who may not read the log', async () => {
    await server.denyAccess();
    expect(await refusalOf(server.url)).toContain('read $all: correct the credentials in EVENTSTORE_URL');
    await server.restore();
  });

  it('refuses a user who may not append, unless it is opened for reading', async () => {
    await server.denyAppends();
    expect(await refusalOf(server.url)).toContain('append: correct the credentials in EVENTSTORE_URL');
    const options = { url: server.url, streamPrefix: 'o-' };
    const reading = await EventStoreDbEventStore.open({ ...options, readOnly: true });
    expect(await reading.head()).toBe(0);
    await reading.close();
    await server.restore();
    const store = await EventStoreDbEventStore.open(options);
    // The check of the permission wrote nothing.
    expect(await store.head()).toBe(0);
    expect(await store.readStream('asked')).toEqual([]);
    await store.close();
  });
});
