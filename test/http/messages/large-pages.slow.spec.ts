import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

const MIB = 1024 ** 2;
const MESSAGES = 600;
const READERS = 6;

describe('a server with a heap of 192 MiB', () => {
  let server: RunningServer;
  let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
  let headers: Record<string, string>;

  beforeAll(async () => {
    directory = await temporaryDataDirectory();
    server = await RunningServer.start(directory.path, {
      NODE_OPTIONS: '--max-old-space-size=192',
      ANNALS_RATE_LIMIT: '0',
    });
    const { email, key } = await server.owner();
    headers = { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` };
    const profile = await fetch(`${server.url}/api/v1/users/me`, { headers });
    const { user_id } = (await profile.json()) as { user_id: number };
    // 98 KB of HTML each.
    const content = ':8ball: '.repeat(1_100);
    const send = async (): Promise<void> => {
      const body = new URLSearchParams({ type: 'direct', to: `[${user_id}]`, content });
      const answer = await fetch(`${server.url}/api/v1/messages`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    };
    for (let sent = 0; sent < MESSAGES; sent += 20) await Promise.all(Array.from({ length: 20 }, send));
  }, 300_000);

  afterAll(async () => {
    await server.stop();
    await directory.remove();
  });

  it('serves six clients that each read all of 59 MB of messages at once', async () => {
    const readAll = async (): Promise<number[]> => {
      const found: number[] = [];
      for (let isAll = false; !isAll; ) {
        const anchor = `${found[0] ?? 'newest'}`;
        const range = new URLSearchParams({ anchor, num_before: '5000', num_after: '0', include_anchor: 'false' });
        const answer = await fetch(`${server.url}/api/v1/messages?${range}`, { headers });
        expect(answer.status).toBe(200);
        const text = await answer.text();
        expect(Buffer.byteLength(text)).toBeLessThan(8.1 * MIB);
        const body = JSON.parse(text) as { messages: { id: number }[]; found_oldest: boolean };
        found.unshift(...body.messages.map(({ id }) => id));
        isAll = body.found_oldest;
      }
      return found;
    };
    const all = Array.from({ length: MESSAGES }, (_, at) => at + 1);
    for (const found of await Promise.all(Array.from({ length: READERS }, readAll))) expect(found).toEqual(all);
  }, 120_000);
});
