import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { embeddedEngines } from '../support/engines/own-engines.js';
import { client } from '../support/requests/http.js';
import { RunningServer } from '../support/servers/running-server.js';

const SENDS = 600;
const AT_ONCE = 20;
/** Each part of the server that writes says so once. */
const MOST_LINES = 12;

it('a full disk answers each send with 503 and Retry-After, and writes few lines', async () => {
  const engines = await embeddedEngines();
  const server = await RunningServer.start(engines.dataDirectory, engines.environment);
  try {
    await server.caughtUp();
    const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:`]);
    const { email, key } = await server.owner();
    const api = client(server.url).as({ email, apiKey: key });
    const message = { type: 'channel', to: 'general', topic: 'full', content: 'x'.repeat(9000) };
    const send = () => api.post('/messages', message);
    expect((await send()).status).toBe(200);

    // No file can be written beyond its first byte.
    limit('1');
    const before = server.printed.length;
    for (let sent = 0; sent < SENDS; sent += AT_ONCE) {
      for (const answer of await Promise.all(Array.from({ length: AT_ONCE }, send))) {
        expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
        expect(answer.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      }
    }
    const lines = () => server.printed.slice(before).split('\n').filter(Boolean);
    expect(lines()).not.toEqual([]);
    expect(lines().length).toBeLessThan(MOST_LINES);

    limit('unlimited');
    expect((await send()).status).toBe(200);
    await server.stop();
    // What was gathered is counted at the latest when the server stops.
    const gathered = lines().flatMap((line) =>
      line.startsWith('{') ? [JSON.parse(line) as { repeats?: number }] : [],
    );
    const refused = gathered.filter((line) => JSON.stringify(line).includes('could not be written'));
    const told = refused.reduce((sum, { repeats }) => sum + (repeats ?? 1), 0);
    expect(told).toBeGreaterThanOrEqual(SENDS);
    expect(gathered.length).toBeLessThan(2 * MOST_LINES);
  } finally {
    await server.kill();
    await engines.remove();
  }
});
