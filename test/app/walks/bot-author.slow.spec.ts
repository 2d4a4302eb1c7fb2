import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { blocksOf } from '../../../scripts/readme.js';
import { ROOT } from '../../../scripts/transpile.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/requests/api.js';
import { RunningServer } from '../../support/servers/running-server.js';

const PAGE = readFileSync(join(ROOT, 'docs/bots.md'), 'utf8');
const PUSH = join(ROOT, 'test/http/incoming-webhooks/payloads/github/push');

it("a bot's author has GitHub post to a channel, and learns which setting a private address needs", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'annals-walk-'));
  const server = await (await RunningServer.start(join(folder, 'data'))).caughtUp();
  try {
    const owner = new Api(await server.owner());
    const newest = async () => {
      const page = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
      const [message] = (await owner.get('messages', page)).messages as readonly Record<string, unknown>[];
      return message;
    };

    // The descriptions that the page names are there.
    const get = async (path: string) => fetch(`${server.url}${path}`);
    const page = await get('/api/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    expect(await (await get('/api/v1/openapi.json')).json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
    expect(await (await get('/api/v1/asyncapi.json')).json()).toMatchObject({
      asyncapi: expect.stringMatching(/^3\./),
    });

    // The account is made as the page says, of the type that services post to.
    const [account = ''] = /^SITE=.*?(?=^KEY=)/ms.exec(blocksOf('sh', PAGE)) ?? [];
    const ofServices = account.replace('bot_type=1', /`(bot_type=2)` in `POST \/bots`/.exec(PAGE)?.[1] ?? '');
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', ofServices], { cwd: folder });
    const bot = JSON.parse(await readFile(join(folder, 'bot.json'), 'utf8'));

    // GitHub posts to the URL of the page, and once more, because it saw no answer.
    const url = /^(https:\S*)\/(api\/v1\/external\/INTEGRATION\S+)$/m.exec(PAGE)?.[2] ?? '';
    const hook = `${server.url}/${url.replace('INTEGRATION', 'github').replace('KEY', bot.api_key)}`;
    const body = readFileSync(`${PUSH}.json`, 'utf8');
    const deliver = async (id: string, headers: Readonly<Record<string, string>> = {}) => {
      const sent = { 'Content-Type': 'application/json', 'X-GitHub-Delivery': id, ...headers };
      const answer = await fetch(hook, { method: 'POST', headers: sent, body });
      return (await answer.json()) as { readonly result: string; readonly msg: string; readonly id?: number };
    };
    const posted = await deliver('one', { 'X-GitHub-Event': 'push' });
    expect(await deliver('one', { 'X-GitHub-Event': 'push' })).toEqual(posted);
    expect(await newest()).toMatchObject({
      id: posted.id,
      sender_id: bot.user_id,
      display_recipient: 'general',
      subject: 'alerts',
      content: readFileSync(`${PUSH}.md`, 'utf8')
        .replace(/^topic: .*\n\n/, '')
        .trim(),
    });
    expect(await deliver('two')).toMatchObject({ result: 'error', msg: expect.stringMatching(/X-GitHub-Event/i) });
    // The key that is in the URL reads nothing.
    const { user } = await owner.get(`users/${bot.user_id}`);
    const { delivery_email: email } = user as { readonly delivery_email: string };
    const asBot = new Api({ email, key: bot.api_key, site: server.url });
    const read = await asBot.get('messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(read).toMatchObject({ result: 'error' });

    // A bot that the server is to call at a private address is not called: its owner reads which setting says so.
    const called = { full_name: 'Called', short_name: 'called', bot_type: 3, interface_type: 1 };
    const made = await owner.post('bots', { ...called, payload_url: JSON.stringify('http://127.0.0.1:9/') });
    expect(made).toMatchObject({ result: 'success' });
    await owner.post('messages', { type: 'channel', to: 'general', topic: 'bots', content: '@**Called** hello' });
    const setting = /`(ANNALS_\w+PRIVATE_NETWORKS)`/.exec(PAGE)?.[1];
    await eventually(async () => {
      const asked = { anchor: 'newest', num_before: 10, num_after: 0, narrow: [{ operator: 'is', operand: 'dm' }] };
      const notices = (await owner.get('messages', asked)).messages as readonly { content: string }[];
      expect(notices.map(({ content }) => content)).toContainEqual(expect.stringContaining(String(setting)));
    });
  } finally {
    await server.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
