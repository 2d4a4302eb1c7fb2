import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { NotedDocument } from '../../../src/platform/transparency/checkpoint.documents.js';
import { CheckpointWebhook } from '../../../src/platform/transparency/checkpoint-webhook.js';
import { eventually } from '../../support/eventually.js';
import { WebServers } from '../../support/outside/outgoing/web-servers.js';

const noted = (size: number): NotedDocument => ({
  _id: `key ${size}`,
  verifier: 'key',
  size,
  root: '',
  note: `chat.example.org\n${size}\n`,
  at: size,
});

describe('the webhook of checkpoints', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function webhook(statusOf: (note: string) => number) {
    const servers = await WebServers.start(['127.0.0.1']);
    closing.push(() => servers.stop());
    const posted: { readonly type: string | undefined; readonly note: string }[] = [];
    servers.handlers.set('/s3cret', async (request, response) => {
      const note = await text(request);
      posted.push({ type: request.headers['content-type'], note });
      response.writeHead(statusOf(note), { location: '/elsewhere' }).end();
    });
    const problems: string[] = [];
    const hook = new CheckpointWebhook(`http://127.0.0.1:${servers.port}/s3cret`, (problem) => problems.push(problem));
    closing.push(() => hook.close());
    return { hook, posted, problems, servers };
  }

  it('gets a checkpoint as text, once', async () => {
    const { hook, posted, problems } = await webhook(() => 204);
    hook.noted(noted(1));
    await eventually(() => expect(posted).toHaveLength(1));
    hook.noted(noted(2));
    await eventually(() => expect(posted.length).toBeGreaterThan(1));
    // The end of the hook posts again what has no answer yet.
    expect(posted.slice(0, 2)).toEqual(
      [1, 2].map((size) => ({ type: 'text/plain; charset=utf-8', note: noted(size).note })),
    );
    expect(problems).toEqual([]);
  });

  it.each([500, 404, 302])(
    'gets the newest after the status %d, which is told once without the URL',
    async (status) => {
      const { hook, posted, problems, servers } = await webhook((note) => (note === noted(1).note ? status : 200));
      hook.noted(noted(1));
      await eventually(() => expect(posted.length).toBeGreaterThanOrEqual(2));
      hook.noted(noted(2));
      await eventually(() => expect(posted.at(-1)?.note).toBe(noted(2).note));
      await hook.close();
      expect(problems).toEqual([`a checkpoint cannot be posted, trying again: the answer has the status ${status}`]);
      expect(servers.asked).not.toContain('127.0.0.1 /elsewhere');
    },
  );

  it('is tried once more at the end', async () => {
    const { hook, posted, problems, servers } = await webhook(() => 200);
    await servers.stop();
    hook.noted(noted(1));
    await eventually(() => expect(problems).toEqual([expect.stringContaining('there is no connection')]));
    await hook.close();
    expect(posted).toEqual([]);
  });
});
