import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { pythonPackages } from '../support/outside/python.js';
import { Terminal } from '../support/outside/terminal.js';
import { png } from '../support/pictures.js';
import { Api } from '../support/requests/api.js';
import { LongLivedServer } from '../support/servers/long-lived-server.js';

// It asks for an older Python than it needs.
const packages = await pythonPackages(['zulip-term==0.7.0', '--ignore-requires-python']);
const isPossible = packages !== null && (await Terminal.isPossible());
if (packages && !isPossible) process.stdout.write('zulip-term: not tried, because there is no tmux\n');

(isPossible ? describe : describe.skip)('Zulip Terminal, unmodified', () => {
  let server: LongLivedServer;
  let owner: Api;
  let grace: Api;
  let terminal: Terminal;

  beforeAll(async () => {
    server = await LongLivedServer.start();
    owner = new Api(await server.current.owner());
    const account = { email: 'grace@example.com', full_name: 'Grace Hopper', password: 'correct horse' };
    await owner.post('users', account);
    const { api_key } = await new Api({ email: '', key: '', site: owner.credentials.site }).post('fetch_api_key', {
      username: account.email,
      password: account.password,
    });
    grace = new Api({ email: account.email, key: String(api_key), site: owner.credentials.site });
    await owner.post('users', { email: 'absent@example.com', full_name: 'Absent Friend', password: 'correct horse' });
    await grace.post('users/me/presence', { status: 'active', new_user_input: true });
  });
  afterAll(async () => {
    await terminal?.stop();
    await server?.stop();
  });

  const shows = (expected: RegExp) => eventually(async () => expect(await terminal.screen()).toMatch(expected));
  const says = (content: string) =>
    grace.post('messages', { type: 'channel', to: 'general', topic: 'engines', content });

  it('shows messages and people who are present, not those who never were', async () => {
    await says('from **Grace**');
    const config = join(server.dataDirectory, 'owner.zuliprc');
    await chmod(config, 0o600);
    const program = packages?.program('zulip-term');
    terminal = await Terminal.start(`${program} --config-file ${config} --no-notify`, server.dataDirectory);
    await shows(/from Grace/);
    await shows(/● Grace Hopper/);
    await shows(/● Owner *\(you\)/);
    expect(await terminal.screen()).not.toContain('Absent Friend');
  });

  it('goes on after the server was killed, and after a rebuild', async () => {
    await server.killAndRestart();
    await says('after the kill');
    await shows(/after the kill/);
    await server.rebuild();
    await says('after the rebuild');
    await shows(/after the rebuild/);
    await shows(/● Grace Hopper/);
  });

  it('shows links to pictures, which are there', async () => {
    const { site, email, key } = owner.credentials;
    const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
    const form = new FormData();
    form.append('file', new Blob([await png(800, 600)], { type: 'image/png' }), 'engine.png');
    const init = { method: 'POST', headers: { authorization }, body: form };
    const { url } = (await (await fetch(`${site}/api/v1/user_uploads`, init)).json()) as { url: string };
    const { id } = await says(`[the engine](${url})`);
    await shows(/the engine \[1\]/);

    const { message } = await owner.get(`messages/${id}`);
    const named = [...(message as { content: string }).content.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, at]) => at);
    expect(named).toHaveLength(3);
    for (const at of named) {
      const answer = await fetch(new URL(at ?? '', site), { headers: { authorization } });
      expect([at, answer.status, answer.headers.get('content-type')]).toEqual([
        at,
        200,
        expect.stringMatching(/^image/),
      ]);
    }
  });

  it('sends what is typed', async () => {
    await terminal.press('c');
    await shows(/Stream/);
    await terminal.type('general');
    await terminal.press('Tab');
    await terminal.type('typed');
    await terminal.press('Tab');
    await terminal.type('by hand');
    await terminal.press('C-d');
    await eventually(async () => {
      const narrow = [{ operator: 'topic', operand: 'typed' }];
      const { messages } = await owner.get('messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow });
      expect(messages).toEqual([expect.objectContaining({ content: '<p>by hand</p>' })]);
    });
  });
});
