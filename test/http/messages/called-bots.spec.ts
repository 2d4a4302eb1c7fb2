import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventQueue } from '../../support/requests/event-queue.js';
import type { Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const GENERIC = 1;
const INCOMING_WEBHOOK = 2;

describe('a bot that is mentioned in a channel that it does not read', () => {
  let annals: Annals;
  let anna: Member;
  let bot: Member;
  let _hook: Member;
  let channel = 0;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    anna = await annals.user('anna');
    bot = await botOf(anna, 'helper', GENERIC);
    _hook = await botOf(anna, 'hook', INCOMING_WEBHOOK);
  });
  afterAll(() => annals.stop());

  beforeEach(async () => {
    channel = await privateChannel();
  });

  async function botOf(owner: Member, name: string, bot_type: number): Promise<Member> {
    const { body } = await owner.api.post('/bots', { full_name: name, short_name: name, bot_type });
    const credentials = { email: `${name}-bot@127.0.0.1`, apiKey: body.api_key };
    return {
      ...credentials,
      id: body.user_id,
      get api() {
        return annals.api.as(credentials);
      },
    };
  }

  async function privateChannel(): Promise<number> {
    const name = `private ${++made}`;
    const params = { subscriptions: [{ name }], invite_only: true, history_public_to_subscribers: true };
    await anna.api.post('/users/me/subscriptions', params);
    return (await anna.api.get('/get_stream_id', { stream: name })).body.stream_id;
  }

  const send = async (content: string): Promise<number> =>
    (await anna.api.post('/messages', { type: 'channel', to: channel, topic: 't', content })).body.id;
  const queueOf = (who: Member) => EventQueue.register(who.api, { event_types: ['message'] });
  const idsTold = async (queue: EventQueue): Promise<number[]> =>
    (await queue.drain()).map(({ message }) => message.id);
  const mentionsFound = async (who: Member): Promise<number[]> => {
    const narrow = [{ operator: 'is', operand: 'mentioned' }];
    const { body } = await who.api.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow });
    return body.messages.map(({ id }: { id: number }) => id);
  };

  it('gets the message, its flag and its event, and no other message of the channel', async () => {
    const queue = await queueOf(bot);
    const before = await send('nothing for bots');
    const id = await send('@**helper** look');
    const after = await send('thanks, @_**helper**');
    expect(await queue.drain()).toMatchObject([{ message: { id }, flags: ['mentioned'] }]);
    const { body } = await bot.api.get(`/messages/${id}`);
    expect(body.message).toMatchObject({ id, flags: expect.arrayContaining(['mentioned']) });
    expect(body.message.flags).not.toContain('historical');
    expect(await mentionsFound(bot)).toEqual([id]);
    for (const other of [before, after]) expect((await bot.api.get(`/messages/${other}`)).status).toBe(400);

    await annals.restart(() => annals.removeDocuments());
    expect((await bot.api.get(`/messages/${id}`)).body).toEqual(body);
  });

  it('can flag it and react to it', async () => {
    const id = await send('@**helper** look');
    const flags: Params = { messages: [id], op: 'add', flag: 'starred' };
    expect((await bot.api.post('/messages/flags', flags)).body).toMatchObject({ messages: [id] });
    expect((await bot.api.post(`/messages/${id}/reactions`, { emoji_name: 'wave' })).status).toBe(200);
  });

  it('loses it when it goes to another channel', async () => {
    const id = await send('@**helper** look');
    const move = { stream_id: await privateChannel(), propagate_mode: 'change_all' };
    expect((await anna.api.patch(`/messages/${id}`, move)).body).toMatchObject({ result: 'success' });
    expect((await bot.api.get(`/messages/${id}`)).status).toBe(400);
    expect(await mentionsFound(bot)).not.toContain(id);
  });

  it('is no person, no bot of another type, and not meant as one of a crowd', async () => {
    const carl = await annals.user('carl');
    const { body: crew } = await anna.api.post('/user_groups/create', {
      name: 'crew',
      description: '',
      members: [bot.id],
    });
    expect(crew).toMatchObject({ result: 'success' });
    const queues = await Promise.all([carl, bot].map(queueOf));
    const head = await annals.head();
    const id = await send('@**carl**, @**hook**, @*crew* and @**all**');
    for (const queue of queues) expect(await idsTold(queue)).toEqual([]);
    expect((await annals.events('messages', head))[0]?.data).not.toHaveProperty('calledBotIds');
    for (const who of [carl, bot]) expect((await who.api.get(`/messages/${id}`)).status).toBe(400);
  });

  it('gets a message of a channel that it reads once, and with its flag', async () => {
    const { body } = await anna.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: `open ${++made}` }],
      principals: [anna.id, bot.id],
    });
    expect(body).toMatchObject({ result: 'success' });
    channel = (await anna.api.get('/get_stream_id', { stream: `open ${made}` })).body.stream_id;
    const queue = await queueOf(bot);
    const head = await annals.head();
    await send('@**helper** look');
    expect(await queue.drain()).toMatchObject([{ flags: ['mentioned'] }]);
    expect((await annals.events('messages', head))[0]?.data).not.toHaveProperty('calledBotIds');
  });
});
