import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api } from '../../support/requests/api.js';
import type { Answer, AskOptions } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

describe('incoming webhooks', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let key: string;
  let botId: number;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    iris = await annals.user('iris');
    const { body } = await iris.api.post('/bots', { full_name: 'Hooks', short_name: 'hooks', bot_type: 2 });
    ({ api_key: key, user_id: botId } = body);
  });
  afterAll(() => annals.stop());

  interface Sent extends AskOptions {
    readonly query?: Readonly<Record<string, string>>;
    readonly key?: string;
  }
  const send = (service: string, payload: object, { query = {}, key: as = key, ...options }: Sent = {}) =>
    annals.api.post(
      `/external/${service}?${new URLSearchParams({ api_key: as, ...query })}`,
      { ...payload },
      {
        encoding: 'json',
        ...options,
      },
    );
  const toGeneral = { query: { stream: 'general', topic: 'hooks' } };

  async function newest(who = iris): Promise<Record<string, unknown>> {
    const { body } = await who.api.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      apply_markdown: false,
    });
    return body.messages[0];
  }

  const refused = (answer: Answer, status: number, msg: string): void =>
    expect([answer.status, answer.body.msg]).toEqual([status, msg]);

  async function unchanged(doing: () => Promise<void>): Promise<void> {
    const before = (await newest(owner)).id;
    await doing();
    expect((await newest(owner)).id).toBe(before);
  }

  it('posts as the bot, to a channel by name or id, in the topic of the URL', async () => {
    const byName = await send('slack_incoming', { text: 'one', channel: '#theirs' }, toGeneral);
    expect(byName.body).toEqual({ result: 'success', msg: '', id: expect.any(Number) });
    expect(await newest()).toMatchObject({ sender_id: botId, subject: 'hooks', content: 'one', type: 'stream' });
    await send('slack_incoming', { text: 'two', channel: '#theirs' }, { query: { stream: '1' } });
    expect(await newest()).toMatchObject({ subject: 'theirs', content: 'two', display_recipient: 'general' });
  });

  it('tells the owner without a channel, and if the bot sees no such channel', async () => {
    await send('slack_incoming', { text: 'hello', channel: '#theirs' });
    const direct = { type: 'private', sender_id: botId, content: '**theirs**\n\nhello' };
    expect(await newest()).toMatchObject(direct);
    const subscribed = await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'secret' }],
      invite_only: true,
    });
    expect(subscribed.status).toBe(200);
    for (const stream of ['secret', 'nowhere', '99']) {
      expect((await send('slack_incoming', { text: 'hello' }, { query: { stream } })).status).toBe(200);
      const { type, content } = await newest();
      expect([type, content]).toEqual(['private', expect.stringMatching(/I see no such channel.*\n\nhello$/)]);
    }
  });

  it('posts nowhere that the bot may not post', async () => {
    await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'news' }],
      can_send_message_group: { direct_members: [owner.id], direct_subgroups: [] },
    });
    await unchanged(async () =>
      refused(
        await send('slack_incoming', { text: 'x' }, { query: { stream: 'news', topic: 't' } }),
        400,
        'Insufficient permission',
      ),
    );
  });

  it('takes the key in the query alone, of an incoming webhook bot alone', async () => {
    const { body: general } = await iris.api.post('/bots', { full_name: 'G', short_name: 'g', bot_type: 1 });
    const others = 'This API is only available to incoming webhook bots (bot_type 2).';
    await unchanged(async () => {
      refused(await send('json', { a: 1 }, { key: 'x'.repeat(32) }), 401, 'Invalid API key');
      refused(await send('json', { a: 1 }, { key: 'short' }), 401, 'Malformed API key');
      refused(await send('json', { a: 1 }, { key: general.api_key }), 401, others);
      refused(await send('json', { a: 1 }, { key: iris.apiKey }), 401, others);
      const asHooks = annals.api.as({ email: 'hooks-bot@127.0.0.1', apiKey: key });
      refused(
        await asHooks.post('/external/json', { api_key: key }, { encoding: 'json' }),
        400,
        "Missing 'api_key' argument",
      );
    });
  });

  it('opens nothing but sends to the key of such a bot', async () => {
    const bot = annals.api.as({ email: 'hooks-bot@127.0.0.1', apiKey: key });
    const sent = await bot.post('/messages', { type: 'channel', to: 'general', topic: 'hooks', content: 'by hand' });
    expect(sent.status).toBe(200);
    for (const path of ['/messages', '/users/me', '/users', '/streams', '/user_groups'])
      refused(await bot.get(path), 401, 'This API is not available to incoming webhook bots.');
    refused(await bot.post('/register'), 401, 'This API is not available to incoming webhook bots.');
  });

  it('refuses a key that is replaced, and an account that is deactivated', async () => {
    const { body } = await iris.api.post('/bots', { full_name: 'Old', short_name: 'old', bot_type: 2 });
    const { body: renewed } = await iris.api.post(`/bots/${body.user_id}/api_key/regenerate`);
    refused(await send('json', { a: 1 }, { key: body.api_key }), 401, 'Invalid API key');
    expect((await send('json', { a: 1 }, { key: renewed.api_key })).status).toBe(200);
    await iris.api.delete(`/bots/${body.user_id}`);
    refused(await send('json', { a: 1 }, { key: renewed.api_key }), 401, 'Account is deactivated');
  });

  it('refuses an unknown service, and payloads that say nothing or are no JSON', async () => {
    await unchanged(async () => {
      const unknown = await send('nothing', { a: 1 }, toGeneral);
      expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
      refused(
        await send('slack_incoming', { text: ' ' }, toGeneral),
        400,
        'The payload has no text: text, blocks and attachments are missing or empty',
      );
      refused(await send('json', {}, { ...toGeneral, encoding: 'form' }), 400, "Missing 'payload' argument");
      refused(
        await send('json', { payload: '{' }, { ...toGeneral, encoding: 'form' }),
        400,
        'payload is not valid JSON',
      );
      refused(
        await send('json', { payload: 1, other: 2 }, { ...toGeneral, encoding: 'query' }),
        400,
        "Missing 'payload' argument; there is no parameter other",
      );
    });
  });

  it('takes a payload from a form, too', async () => {
    for (const encoding of ['form', 'multipart'] as const) {
      await send('slack_incoming', { payload: { text: encoding }, stream: 'nowhere' }, { ...toGeneral, encoding });
      expect(await newest()).toMatchObject({ subject: 'hooks', content: encoding });
    }
  });

  it('posts a delivery once to a place, however often it is repeated', async () => {
    const headers = { 'Idempotency-Key': 'delivery 1' };
    const payload = { text: 'once' };
    const first = await send('slack_incoming', payload, { ...toGeneral, headers });
    const again = await send('slack_incoming', payload, { ...toGeneral, headers });
    const elsewhere = await send('slack_incoming', payload, { headers });
    expect(again.body.id).toBe(first.body.id);
    expect(elsewhere.body.id).toBeGreaterThan(first.body.id);
    const long = { 'Idempotency-Key': 'x'.repeat(256) };
    refused(
      await send('slack_incoming', payload, { headers: long }),
      400,
      'The header idempotency-key has more than 255 characters',
    );
  });

  it('posts once what GitHub and GitLab deliver twice', async () => {
    const ping = { repository: { name: 'annals' }, zen: 'Once.' };
    const toHooks = { stream: 'general' };
    const github = { 'X-GitHub-Event': 'ping', 'X-GitHub-Delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' };
    const deliver = (headers: Record<string, string>, payload: object = ping) =>
      send('X-GitHub-Event' in headers ? 'github' : 'gitlab', payload, { query: toHooks, headers });
    const first = await deliver(github);
    expect((await deliver(github)).body.id).toBe(first.body.id);
    expect((await deliver({ ...github, 'X-GitHub-Delivery': 'other' })).body.id).toBeGreaterThan(first.body.id);
    const pushed = {
      object_kind: 'tag_push',
      user_name: 'John',
      project: { name: 'Example' },
      before: '0000',
      after: '1234',
      ref: 'refs/tags/v1',
      total_commits_count: 0,
    };
    for (const name of ['Idempotency-Key', 'X-Gitlab-Event-UUID']) {
      const gitlab = { 'X-Gitlab-Event': 'Tag Push Hook', [name]: name };
      const { body } = await deliver(gitlab, pushed);
      expect(body.id).toBeGreaterThan(0);
      expect((await deliver(gitlab, pushed)).body.id).toBe(body.id);
    }
  });

  it('names the field that a payload lacks, and the header', async () => {
    await unchanged(async () => {
      const refuses = async (service: string, payload: object, headers: Record<string, string>, words: string) =>
        refused(await send(service, payload, { ...toGeneral, headers }), 400, words);
      const pull = { action: 'opened', repository: { name: 'annals' }, pull_request: { number: 'two' } };
      await refuses('github', pull, {}, 'The request has no header x-github-event, which names the event');
      await refuses(
        'github',
        pull,
        { 'X-GitHub-Event': 'pull_request' },
        'The payload has no pull_request.number, or it is not a number',
      );
      const push = { commits: [{}], ref: 'refs/heads/main' };
      await refuses(
        'github',
        push,
        { 'X-GitHub-Event': 'push' },
        'The payload has no commits.0.id, or it is not a text',
      );
      await refuses('alertmanager', { alerts: {} }, {}, 'The payload has no alerts, or it is not a list');
    });
  });

  it('posts the events that the URL asks for, and says of others that they are ignored', async () => {
    const ping = { repository: { name: 'annals' } };
    const headers = { 'X-GitHub-Event': 'ping' };
    const asked = async (query: Record<string, string>) => {
      const { status, body } = await send('github', ping, { query: { ...toGeneral.query, ...query }, headers });
      expect(status).toBe(200);
      return body.ignored ?? 'posted';
    };
    const leftOut = 'The URL leaves out the event ping';
    expect(await asked({ only_events: '["pull_*", "p?n*"]' })).toBe('posted');
    expect(await asked({ only_events: '["pull_*", "pin"]' })).toBe(leftOut);
    expect(await asked({ exclude_events: '["*g"]' })).toBe(leftOut);
    expect(await asked({ exclude_events: '["pings", "."]' })).toBe('posted');
    const other = await send('github', { a: 1 }, { headers: { 'X-GitHub-Event': 'constructor' } });
    expect(other.body).toEqual({
      result: 'success',
      msg: '',
      ignored: 'The event constructor of GitHub is not posted',
    });
  });

  it('shows the words of a payload as they are', async () => {
    const payload = JSON.parse(
      await readFile(join(import.meta.dirname, 'payloads/github/issue_comment.markup.json'), 'utf8'),
    );
    const { body } = await send('github', payload, { ...toGeneral, headers: { 'X-GitHub-Event': 'issue_comment' } });
    const { body: read } = await owner.api.get(`/messages/${body.id}`);
    const { content, flags } = read.message;
    expect(content).toContain('issue #1 [x](javascript:1) `a` @**all** ~~b~~ $$c$$ &lt;b&gt;</a>');
    expect(content).toContain('>**me**</a>');
    expect(content).toMatch(/<blockquote>[\s\S]*<\/blockquote>$/);
    expect(flags).toEqual([]);
  });

  it('cuts what is too long, with words', async () => {
    await send(
      'slack_incoming',
      { text: `${'😀'.repeat(30_000)}end`, channel: 'c'.repeat(100) },
      { query: { stream: 'general' } },
    );
    const { content, subject } = await newest();
    expect(content).toMatch(/^(😀)+\n\[message truncated\]$/u);
    expect([...String(content)]).toHaveLength(10_000);
    expect(subject).toBe(`${'c'.repeat(57)}...`);
    await send('json', { many: Array.from({ length: 5000 }, (_, at) => at) }, toGeneral);
    expect((await newest()).content).toMatch(/^~~~ json\n[\s\S]+\n~~~\n\[payload truncated\]$/);
  });

  it('fills a template with fields, which mention nobody and are no markup', async () => {
    const template = '**{{ alert.name }}** {{ alert.tags.1 }}{{no.such}}{{ alert.level }} {{alert.tags}}';
    const alert = { name: '@**all** [x](y) `a`\n\n# b', tags: ['one', '~~~'], level: 3 };
    await send('json', { alert }, { query: { ...toGeneral.query, template } });
    const id = (await newest()).id;
    const { body } = await iris.api.get(`/messages/${id}`);
    expect(body.message.content).toBe('<p><strong>@**all** [x](y) `a` # b</strong> ~~~3 ["one","~~~"]</p>');
    expect(body.message.flags).not.toContain('stream_wildcard_mentioned');
    refused(
      await send('json', { a: 1 }, { query: { ...toGeneral.query, template: 'x'.repeat(5001) } }),
      400,
      'template is too long (limit: 5000 characters)',
    );
  });
});

it('the key is in no line of the log', async () => {
  const directory = await temporaryDataDirectory();
  const server = await RunningServer.start(directory.path, { ANNALS_LOG_LEVEL: 'trace' });
  try {
    const owner = new Api({ ...(await server.owner()), site: server.url });
    const { api_key } = await owner.post('bots', { full_name: 'Hooks', short_name: 'hooks', bot_type: 2 });
    for (const path of ['json', 'no_such', 'json/below'])
      await owner.post(`external/${path}?api_key=${api_key}&stream=general`, { payload: { a: 1 } });
    await owner.post(`external/json?api_key=${api_key}&topic=%ff`);
    await server.stop();
    expect(server.printed).toContain('/api/v1/external/:integration');
    expect(server.printed).not.toContain(api_key);
  } finally {
    await server.stop();
    await directory.remove();
  }
});
