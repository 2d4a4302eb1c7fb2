import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHttpAdapter } from '../../src/platform/http/http-adapter.js';
import { Annals } from '../support/servers/annals.js';

/** Listens on an address of this machine. @returns null if there is no such address */
async function listening(host: string, port = 0): Promise<Server | null> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    return server;
  } catch {
    return null;
  }
}

const probe = await listening('::1');
probe?.close();
const withIPv6 = probe ? it : it.skip;

describe('a server that listens on a name', () => {
  let annals: Annals;
  let port = 0;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_HOST: 'localhost', ANNALS_LOG_LEVEL: 'silent' });
    port = Number(new URL(annals.url).port);
  });
  afterAll(() => annals.stop());

  const connected = async (host: string): Promise<Socket> => {
    const socket = connect({ host, port });
    await once(socket, 'connect');
    return socket;
  };
  const ask = async (socket: Socket, path: string): Promise<string> => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    const [bytes] = await once(socket, 'data');
    return String(bytes).split('\r\n')[0] ?? '';
  };

  it('is asked by 127.0.0.1', async () => {
    const socket = await connected('127.0.0.1');
    expect(await ask(socket, '/health/live')).toBe('HTTP/1.1 200 OK');
    expect(await ask(socket, '/api/v1/users/me')).toBe('HTTP/1.1 401 Unauthorized');
    socket.destroy();
  });

  withIPv6('is asked by ::1, too, and closes the connections of both when it stops', async () => {
    const sockets = [await connected('::1'), await connected('127.0.0.1')];
    for (const socket of sockets) {
      expect(await ask(socket, '/health/live')).toBe('HTTP/1.1 200 OK');
      expect(await ask(socket, '/api/v1/users/me')).toBe('HTTP/1.1 401 Unauthorized');
    }
    const ended = sockets.map((socket) => once(socket, 'close'));
    await annals.restart(async () => {
      await Promise.all(ended);
      for (const host of ['127.0.0.1', '::1'])
        await expect(connected(host)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    });
  });

  withIPv6('does not start if another program has the port at one of the addresses', async () => {
    const other = await listening('::1');
    const taken = other?.address();
    const adapter = createHttpAdapter({ logLevel: 'silent' });
    try {
      const opened = adapter.openPort({ host: 'localhost', port: portOf(taken) }, () => false);
      await expect(opened).rejects.toMatchObject({ code: 'EADDRINUSE', address: '::1' });
    } finally {
      await adapter.closePort();
      other?.close();
    }
    const free = await listening('127.0.0.1', portOf(taken));
    expect(free).not.toBeNull();
    free?.close();
  });

  it('does not start on a name without an address', async () => {
    const adapter = createHttpAdapter({ logLevel: 'silent' });
    const opened = adapter.openPort({ host: 'nowhere.invalid', port: 0 }, () => false);
    await expect(opened).rejects.toMatchObject({ code: expect.stringMatching(/^(?:ENOTFOUND|EAI_AGAIN)$/) });
  });
});

const portOf = (address: ReturnType<Server['address']> | undefined): number =>
  typeof address === 'object' && address !== null ? address.port : 0;
