import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { WebServers } from '../../support/outside/outgoing/web-servers.js';
import { expectPublishedResponse } from '../../support/requests/published-schemas.js';
import { Annals, type Member } from '../../support/servers/annals.js';

interface Bot {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly path: string;
}

interface Call {
  readonly type: string | undefined;
  readonly body: string;
}

describe('outgoing webhook bots', () => {
  let annals: Annals;
  let web: WebServers;
  let owner: Member;
  let iris: Member;
  let made = 0;
  /** Bodies of the calls, by path. */
  const calls = new Map<string, Call[]>();

  beforeAll(async () => {
    web = await WebServers.start(['127.0.0.1', '127.0.0.2']);
    annals = await Annals.start({ ANNALS_OUTGOING_PRIVATE_NETWORKS: '127.0.0.1' });
    owner = await annals.owner();
    iris = await annals.user('iris');
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals: [iris.id] });
  });
  beforeEach(() => calls.clear());
  afterAll(async () => {
    await annals.stop();
    await web.stop();
  });

  type Answer = (response: ServerResponse, request: IncomingMessage) => void;
  const json =
    (answer: object): Answer =>
    (response) =>
      response.end(JSON.stringify(answer));

  function answer(path: string, ...answers: readonly Answer[]): void {
    const left = [...answers];
    web.handlers.set(path, async (request, response) => {
      const call = { type: request.headers['content-type'], body: await text(request) };
      calls.set(path, [...(calls.get(path) ?? []), call]);
      const next = left.length > 1 ? left.shift() : left[0];
      next?.(response, request);
    });
  }

  async function newBot(answers: readonly Answer[], params: object = {}, host = '127.0.0.1'): Promise<Bot> {
    const path = `/hook${++made}`;
    answer(path, ...answers);
    const { body } = await owner.api.post('/bots', {
      full_name: `Hook ${made}`,
      short_name: `hook${made}`,
      bot_type: 3,
      payload_url: JSON.stringify(`http://${host}:${web.port}${path}`),
      ...params,
    });
    expect(body).toMatchObject({ result: 'success' });
    return { id: body.user_id, name: `Hook ${made}`, email: `hook${made}-bot@127.0.0.1`, path };
  }
  const dm = (who: Member, to: readonly number[], content: string) =>
    who.api.post('/messages', { type: 'direct', to: [...to], content });
  const say = (who: Member, topic: string, content: string) =>
    who.api.post('/messages', { type: 'channel', to: 'general', topic, content });
  const mention = ({ name, id }: Bot) => `@**${name}|${id}**`;
  async function saidBy(bot: Bot, reader = owner): Promise<readonly Record<string, unknown>[]> {
    const narrow = [{ operator: 'sender', operand: bot.id }];
    const { body } = await reader.api.get('/messages', {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      narrow,
      apply_markdown: false,
    });
    return body.messages;
  }
  const textsBy = async (bot: Bot, reader = owner) => (await saidBy(bot, reader)).map(({ content }) => content);
  /** A last call, which comes after those of all earlier messages. */
  async function callsOf(bot: Bot, who = owner): Promise<readonly Call[]> {
    await dm(who, [bot.id], 'last');
    await eventually(() => expect(calls.get(bot.path)?.at(-1)?.body).toContain('last'));
    return (calls.get(bot.path) ?? []).slice(0, -1);
  }
  const expectPublishedCall = (call: Call | undefined): void =>
    expectPublishedResponse('POST', '/zulip-outgoing-webhook', 200, JSON.parse(call?.body ?? ''));
  const NO_REPLY = json({ response_not_required: true });

  it('are called when they are mentioned in a channel, in the published form, and reply to the topic', async () => {
    const bot = await newBot([json({ content: 'Hello **you**' })]);
    const content = `${mention(bot)} hello`;
    const { id } = (await say(iris, 'bots', content)).body;
    await eventually(async () => expect(await textsBy(bot)).toEqual(['Hello **you**']));
    const [call] = calls.get(bot.path) ?? [];
    expect(call?.type).toBe('application/json');
    const { realm_bots } = (await owner.api.post('/register', { fetch_event_types: ['realm_bot'] })).body;
    const { services } = realm_bots.find(({ user_id }: { user_id: number }) => user_id === bot.id);
    expectPublishedCall(call);
    const { message, ...rest } = JSON.parse(call?.body ?? '');
    expect(rest).toEqual({
      data: content,
      bot_email: bot.email,
      bot_full_name: bot.name,
      token: services[0].token,
      trigger: 'mention',
    });
    const { messages } = (
      await owner.api.get('/messages', { message_ids: [id], apply_markdown: false, client_gravatar: false })
    ).body;
    const { flags: _flags, content_type: _type, ...expected } = messages[0];
    expect(message).toEqual({ ...expected, rendered_content: expect.stringContaining('class="user-mention"') });
    expect(await saidBy(bot)).toMatchObject([{ type: 'stream', subject: 'bots', display_recipient: 'general' }]);
  });

  it('are called by every direct message of a person, and reply to the conversation', async () => {
    const bot = await newBot([json({ response_string: 'Old form' })]);
    await dm(iris, [bot.id, owner.id], 'hello');
    await eventually(async () => expect(await textsBy(bot, iris)).toEqual(['Old form']));
    const [call] = calls.get(bot.path) ?? [];
    expectPublishedCall(call);
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      trigger: 'direct_message',
      data: 'hello',
    });
    const people = [owner, iris, bot].map(({ id }) => expect.objectContaining({ id }));
    expect(await saidBy(bot)).toMatchObject([{ type: 'private', display_recipient: people }]);
  });

  it('are called by nothing else', async () => {
    const bot = await newBot([NO_REPLY]);
    const other = await newBot([json({ content: `${mention(bot)} you too` })]);
    await say(iris, 'bots', 'hello');
    await say(iris, 'bots', `@_**${bot.name}|${bot.id}** silently`);
    await say(iris, 'bots', `${mention(other)} hello`);
    await eventually(async () => expect(await textsBy(other)).toHaveLength(1));
    expect(await callsOf(bot)).toEqual([]);
  });

  it('are not called with words of a channel that they may not read, and the writer is told', async () => {
    const bot = await newBot([NO_REPLY]);
    const name = `closed ${made}`;
    const asked = { subscriptions: [{ name }], invite_only: true };
    expect((await iris.api.post('/users/me/subscriptions', asked)).body).toMatchObject({ result: 'success' });
    const write = (content: string) =>
      iris.api.post('/messages', { type: 'channel', to: name, topic: 't', content: `${mention(bot)} ${content}` });
    const { id } = (await write('withheld')).body;
    await eventually(async () =>
      expect(await textsBy(bot, iris)).toMatchObject([expect.stringContaining(`/near/${id}`)]),
    );
    expect(await saidBy(bot, iris)).toMatchObject([{ type: 'private' }]);

    const members = { subscriptions: [{ name }], principals: [bot.id] };
    expect((await iris.api.post('/users/me/subscriptions', members)).body).toMatchObject({ result: 'success' });
    await write('shown');
    const bodies = (await callsOf(bot, iris)).map(({ body }) => JSON.parse(body).data);
    expect(bodies).toEqual([expect.stringContaining('shown')]);
    expect(await textsBy(bot, iris)).toHaveLength(1);
  });

  it('say nothing if the answer asks for no reply or is blank', async () => {
    const bot = await newBot([NO_REPLY, json({}), json({ content: ' \n' }), json({ content: 'last' })]);
    for (const content of ['1', '2', '3'] as const) {
      await dm(owner, [bot.id], content);
      await eventually(() => expect(calls.get(bot.path)).toHaveLength(Number(content)));
    }
    await dm(owner, [bot.id], '4');
    await eventually(async () => expect(await textsBy(bot)).toEqual(['last']));
  });

  it.each<readonly [string, Answer, string]>([
    ['is no JSON', (response) => response.end('hello'), 'its answer is no JSON object'],
    ['is no object', json(['hello']), 'its answer is no JSON object'],
    ['has no text', json({ content: 7 }), 'content in its answer is no text'],
    ['has null bytes', json({ content: 'x\0' }), 'its answer cannot be a message (MESSAGE_HAS_NULL_BYTES)'],
    ['is an error', (response) => response.writeHead(500).end(), 'the answer has the status 500'],
    [
      'leads elsewhere',
      (response) => response.writeHead(302, { location: '/' }).end(),
      'the answer has the status 302',
    ],
  ])('post a failure and tell their owner if the answer %s, after one call', async (_, wrong, reason) => {
    const bot = await newBot([wrong]);
    const { id } = (await say(iris, 'failures', `${mention(bot)} hello`)).body;
    const channelId = (await owner.api.get('/get_stream_id', { stream: 'general' })).body.stream_id;
    const failure = `Failure! The bot's service did not handle the message: ${reason}.`;
    const told = `[A message](/#narrow/channel/${channelId}-general/topic/failures/near/${id}) called your bot @_**${bot.name}|${bot.id}**, whose service did not handle it: ${reason}.`;
    await eventually(async () => expect(await textsBy(bot)).toEqual([failure, told]));
    expect(await textsBy(bot, iris)).toEqual([failure]);
    expect(calls.get(bot.path)).toHaveLength(1);
  });

  it('are not called at addresses that may not be reached', async () => {
    const bot = await newBot([NO_REPLY], {}, '127.0.0.2');
    await say(iris, 'bots', `${mention(bot)} hello`);
    await eventually(async () =>
      expect(await textsBy(bot, iris)).toEqual([
        expect.stringContaining('nor one in ANNALS_OUTGOING_PRIVATE_NETWORKS'),
      ]),
    );
    expect(calls.get(bot.path)).toBeUndefined();
  });

  it("are called in Slack's form", async () => {
    const bot = await newBot([json({ text: 'From Slack' })], { interface_type: 2 });
    await say(iris, 'slack', `${mention(bot)} hello`);
    await eventually(async () => expect(await textsBy(bot)).toEqual(['From Slack']));
    const [call] = calls.get(bot.path) ?? [];
    expect(call?.type).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(call?.body))).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      team_id: 'T1',
      team_domain: new URL(annals.url).host,
      channel_id: expect.stringMatching(/^C\d+$/),
      channel_name: 'general',
      thread_ts: expect.stringMatching(/^\d+$/),
      timestamp: expect.stringMatching(/^\d+$/),
      user_id: `U${iris.id}`,
      user_name: expect.any(String),
      text: `${mention(bot)} hello`,
      trigger_word: 'mention',
      service_id: String(bot.id),
    });
    await dm(iris, [bot.id], 'hello');
    await eventually(async () =>
      expect(await textsBy(bot, iris)).toContainEqual(expect.stringContaining("Slack's form has no direct messages")),
    );
    expect(calls.get(bot.path)).toHaveLength(1);
  });

  it('are called at the same time: a slow service delays no other', async () => {
    const slow = await newBot([() => {}]);
    for (let n = 0; n < 8; n++) await dm(iris, [slow.id], `hello ${n}`);
    await eventually(() => expect(calls.get(slow.path)?.length).toBeGreaterThan(0));
    const quick = await newBot([json({ content: 'quick' })]);
    await dm(iris, [quick.id], 'hello');
    await eventually(async () => expect(await textsBy(quick, iris)).toEqual(['quick']));
    expect(await textsBy(slow, iris)).toEqual([]);
    expect(calls.get(slow.path)?.length).toBeLessThanOrEqual(4);
    await owner.api.delete(`/bots/${slow.id}`);
  });

  it('are tried again while there is no connection, but not about what was deleted meanwhile, nor once they are gone', async () => {
    const broken: Answer = (_, request) => request.socket.destroy();
    const bot = await newBot([broken, broken, json({ content: 'At last' })]);
    const gone = await newBot([broken, json({ content: 'Never' })]);
    const kept = (await dm(owner, [bot.id], 'kept')).body.id;
    const deleted = (await dm(owner, [bot.id], 'deleted')).body.id;
    await dm(owner, [gone.id], 'hello');
    await eventually(() => expect([calls.get(bot.path)?.length, calls.get(gone.path)?.length]).toEqual([2, 1]));
    expect((await owner.api.delete(`/messages/${deleted}`)).status).toBe(200);
    await owner.api.delete(`/bots/${gone.id}`);
    await eventually(async () => expect(await textsBy(bot)).toEqual(['At last']));
    expect(
      calls
        .get(bot.path)
        ?.map(({ body }) => JSON.parse(body).message.id)
        .at(-1),
    ).toBe(kept);
    expect(calls.get(bot.path)).toHaveLength(3);
    expect(calls.get(gone.path)).toHaveLength(1);
  });
});
