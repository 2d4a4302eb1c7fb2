import { existsSync } from 'node:fs';
import { request as send } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../scripts/free-port.js';
import { readConfig } from '../../src/app/config/read-config.js';
import { startServer } from '../../src/app/server.js';
import { openEngines } from '../../src/platform/engines/open-engines.js';
import { Annals } from '../support/servers/annals.js';
import { temporaryDataDirectory } from '../support/servers/running-server.js';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: specs say what they expect of it
  readonly body: any;
}

const ask = async (url: string, path: string, init: RequestInit = {}): Promise<Answer> => {
  const answer = await fetch(`${url}${path}`, init);
  const text = await answer.text();
  const isJson = (answer.headers.get('content-type') ?? '').startsWith('application/json');
  return { status: answer.status, headers: answer.headers, body: isJson && text !== '' ? JSON.parse(text) : text };
};

describe('a server that is starting', () => {
  it('answers health at once, and everything else with 503 until it can serve', async () => {
    const directory = await temporaryDataDirectory();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const config = readConfig(
      'start',
      {},
      { ANNALS_DATA_DIR: directory.path, ANNALS_PORT: String(port), ANNALS_LOG_LEVEL: 'silent' },
    );
    let seen: Record<string, Answer> = {};
    const server = await startServer(config, {
      open: async (settings) => {
        seen = {
          live: await ask(url, '/health/live'),
          ready: await ask(url, '/health/ready'),
          health: await ask(url, '/health'),
          messages: await ask(url, '/api/v1/messages'),
          send: await ask(url, '/api/v1/messages', { method: 'POST', body: new URLSearchParams({ to: '1' }) }),
          page: await ask(url, '/join/x/'),
        };
        return openEngines(settings);
      },
      beforeAnswers: async () => {
        seen.last = await ask(url, '/health/ready');
        return null;
      },
    });
    try {
      const unavailable = { result: 'error', code: 'SERVICE_UNAVAILABLE', msg: expect.any(String) };
      expect(seen.live).toMatchObject({ status: 200, body: { live: true } });
      for (const answer of [seen.ready, seen.health])
        expect(answer).toMatchObject({ status: 503, body: { ready: false } });
      for (const answer of [seen.messages, seen.send]) {
        expect(answer).toMatchObject({ status: 503, body: unavailable });
        expect(answer?.headers.get('retry-after')).toBe('1');
      }
      // Ready is said when the first request is answered, not before.
      expect(seen.last).toMatchObject({ status: 503, body: { ready: false } });
      expect(seen.page).toMatchObject({ status: 503, body: expect.stringMatching(/^<!doctype html>/) });

      expect(server.url).toBe(url);
      expect(await ask(url, '/health/ready')).toMatchObject({ status: 200, body: { ready: true } });
      expect(await ask(url, '/api/v1/messages')).toMatchObject({ status: 401 });
    } finally {
      await server.close();
      await directory.remove();
    }
    await expect(fetch(`${url}/health/live`)).rejects.toThrow();
  });

  it('finds first that its port is taken, and leaves nothing behind', async () => {
    const directory = await temporaryDataDirectory();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const data = join(directory.path, 'data');
    const config = readConfig('start', {}, { ANNALS_DATA_DIR: data, ANNALS_PORT: String(port) });
    await expect(startServer(config)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(existsSync(data)).toBe(false);
    taken.close();
    await directory.remove();
  });

  it('gives its port back if it cannot start', async () => {
    const directory = await temporaryDataDirectory();
    const port = await freePort();
    const config = readConfig(
      'start',
      {},
      { ANNALS_DATA_DIR: directory.path, ANNALS_PORT: String(port), ANNALS_LOG_LEVEL: 'silent' },
    );
    const open = () => Promise.reject(new Error('no engine'));
    await expect(startServer(config, { open })).rejects.toThrow('no engine');
    await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow();
    await directory.remove();
  });
});

describe('health', () => {
  let annals: Annals;
  afterEach(() => annals.stop());

  it('is never limited', async () => {
    annals = await Annals.start({ ANNALS_RATE_LIMIT: '3' });
    for (let i = 0; i < 5; i++) {
      const { status, headers } = await ask(annals.url, '/health/ready');
      expect(status).toBe(200);
      expect(headers.get('x-ratelimit-limit')).toBeNull();
    }
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await ask(annals.url, '/api/v1/users')).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await ask(annals.url, '/health/live')).status).toBe(200);
  });

  it('is answered during a flood of requests that wait', async () => {
    annals = await Annals.start({ ANNALS_RATE_LIMIT: '0' });
    const { api } = await annals.owner();
    const flood = Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        api.post('/messages', { type: 'channel', to: 'general', topic: 't', content: `${i}` }),
      ),
    );
    for (const path of ['/health', '/health/live', '/health/ready'])
      expect(await ask(annals.url, path)).toMatchObject({ status: 200 });
    await flood;
  });

  it('has its methods', async () => {
    annals = await Annals.start();
    const refused = await ask(annals.url, '/health', { method: 'POST' });
    expect(refused).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
    expect(refused.headers.get('allow')).toBe('GET, HEAD');
    expect(await ask(annals.url, '/health?x=1', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    expect(await ask(annals.url, '/health/else')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('reads no body', async () => {
    annals = await Annals.start();
    const { port } = new URL(annals.url);
    const connection = await new Promise((resolve, reject) => {
      const asking = send(
        { port, host: '127.0.0.1', path: '/health', method: 'POST', headers: { 'content-length': 10 ** 9 } },
        (answer) => {
          resolve(answer.headers.connection);
          asking.destroy();
        },
      );
      asking.once('error', reject);
      asking.write('x');
    });
    expect(connection).toBe('close');
  });
});
