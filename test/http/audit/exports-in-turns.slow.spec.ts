import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Annals, type Member } from '../../support/servers/annals.js';
import { seedMessages } from '../../support/servers/seeded-messages.js';
import { turnsDuring } from '../../support/turns-of-the-loop.js';

const MESSAGES = 50_000;
const MOST_MS = 100;

/** Takes an answer as fast as it comes, and counts its lines. */
const READER = `
  const { parentPort, workerData: { url, headers } } = require('node:worker_threads');
  require('node:http').get(url, { headers }, (answer) => {
    let lines = 0;
    answer.on('data', (chunk) => { for (const byte of chunk) if (byte === 10) lines++; });
    answer.on('end', () => parentPort.postMessage({ status: answer.statusCode, lines }));
  });
`;

describe('exports of the audit to readers who are fast', () => {
  let annals: Annals;
  /** Nobody gets more than four answers at once. */
  let auditors: readonly Member[];

  beforeAll(async () => {
    // Words are read on record.
    annals = await Annals.start({ ANNALS_ACCESS_DAYS: '1' });
    const to = { senderId: 1, channelId: 1, topic: 'many' };
    const texts = Array.from({ length: MESSAGES }, (_, n) => `message ${n}`);
    await (await annals.owner()).api.post('/messages', { type: 'channel', to: 'general', topic: 'many', content: '1' });
    await annals.restart(() => seedMessages(annals.engineSettings, to, texts));
    const owner = await annals.owner();
    auditors = [owner, await annals.user('auditor', 100)];
    await owner.api.post('/messages', { type: 'channel', to: 'general', topic: 'many', content: 'the last one' });
    expect((await owner.api.get('/audit/events', { limit: 1 })).body.result).toBe('success');
  });
  afterAll(() => annals.stop());

  async function taken(
    by: Member | undefined,
    accept: string,
    query: string,
  ): Promise<{ status: number; lines: number }> {
    const authorization = `Basic ${Buffer.from(`${by?.email}:${by?.apiKey}`).toString('base64')}`;
    const url = `${annals.url}/api/v1/audit/events${query}`;
    const thread = new Worker(READER, { eval: true, workerData: { url, headers: { accept, authorization } } });
    const [read] = await once(thread, 'message');
    return read;
  }

  it.each([
    ['one as CSV', 1, 'text/csv', ''],
    ['one as JSON lines with words', 1, 'application/x-ndjson', '?words=true'],
    ['one as JSON lines with words and proofs', 1, 'application/x-ndjson', '?words=true&proofs=true'],
    ['six as CSV', 6, 'text/csv', ''],
    ['six of the events of an actor in a channel', 6, 'text/csv', '?actor=1&channel_id=1'],
  ])('keep nobody waiting: %s', async (_, count, accept, query) => {
    const reading = Promise.all(Array.from({ length: count }, (_reader, n) => taken(auditors[n % 2], accept, query)));
    const { longest } = await turnsDuring(reading);
    for (const { status, lines } of await reading) {
      expect(status).toBe(200);
      expect(lines).toBeGreaterThanOrEqual(MESSAGES);
    }
    expect(longest).toBeLessThanOrEqual(MOST_MS);
  });
});
