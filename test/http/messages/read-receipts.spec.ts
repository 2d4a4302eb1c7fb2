import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('GET /messages/{message_id}/read_receipts', () => {
  let annals: Annals;
  let owner: Member;
  let anna: Member;
  let bert: Member;
  let carl: Member;
  let outsider: Member;
  let channel = 0;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    anna = await annals.user('anna');
    bert = await annals.user('bert');
    carl = await annals.user('carl');
    outsider = await annals.user('outsider');
    const principals = [anna.id, bert.id, carl.id];
    await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'one' }], principals, invite_only: true });
    channel = (await anna.api.get('/get_stream_id', { stream: 'one' })).body.stream_id;
    await owner.api.patch('/realm', { enable_read_receipts: true });
  });
  afterAll(() => annals.stop());

  const send = async (): Promise<number> =>
    (await anna.api.post('/messages', { type: 'channel', to: channel, topic: 't', content: `m${++made}` })).body.id;
  const readersOf = async (id: number, asker = anna) => {
    const { status, body } = await asker.api.get(`/messages/${id}/read_receipts`);
    expect({ status, msg: body.msg }).toEqual({ status: 200, msg: '' });
    return body.user_ids;
  };
  const mark = (who: Member, id: number, op: string) =>
    who.api.post('/messages/flags', { messages: [id], op, flag: 'read' });

  it('lists the readers of the message without its sender', async () => {
    const id = await send();
    expect(await readersOf(id)).toEqual([]);
    await mark(anna, id, 'add');
    await mark(carl, id, 'add');
    await bert.api.post('/mark_all_as_read');
    expect(await readersOf(id)).toEqual([bert.id, carl.id]);
    expect(await readersOf(id, bert)).toEqual([bert.id, carl.id]);
    await mark(bert, id, 'remove');
    expect(await readersOf(id)).toEqual([carl.id]);
  });

  it('leaves out users who disable read receipts', async () => {
    const id = await send();
    await mark(bert, id, 'add');
    await mark(carl, id, 'add');
    await bert.api.patch('/settings', { send_read_receipts: false });
    expect(await readersOf(id)).toEqual([carl.id]);
    expect(await readersOf(id, bert)).toEqual([carl.id]);
    await bert.api.patch('/settings', { send_read_receipts: true });
    expect(await readersOf(id)).toEqual([bert.id, carl.id]);
  });

  it('leaves out users who are muted by the caller or have muted the caller', async () => {
    const id = await send();
    await mark(bert, id, 'add');
    await mark(carl, id, 'add');
    await anna.api.post(`/users/me/muted_users/${bert.id}`);
    expect(await readersOf(id)).toEqual([carl.id]);
    expect(await readersOf(id, carl)).toEqual([bert.id, carl.id]);
    await anna.api.delete(`/users/me/muted_users/${bert.id}`);
    await carl.api.post(`/users/me/muted_users/${anna.id}`);
    expect(await readersOf(id)).toEqual([bert.id]);
    await carl.api.delete(`/users/me/muted_users/${anna.id}`);
  });

  it('lists readers who have left the channel, but no users outside the channel to which the message was moved', async () => {
    const id = await send();
    await mark(bert, id, 'add');
    await bert.api.delete('/users/me/subscriptions', { subscriptions: ['one'] });
    expect(await readersOf(id)).toEqual([bert.id]);
    await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'one' }], principals: [bert.id] });
    expect(await readersOf(id)).toEqual([bert.id]);

    await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'open' }],
      principals: [owner.id, anna.id],
    });
    await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'lobby' }],
      principals: [anna.id, carl.id],
    });
    const post = { type: 'channel', to: 'lobby', topic: 'moving', content: 'x' };
    const moved = (await anna.api.post('/messages', post)).body.id;
    const { stream_id } = (await anna.api.get('/get_stream_id', { stream: 'open' })).body;
    expect((await owner.api.patch(`/messages/${moved}`, { stream_id })).status).toBe(200);
    expect(await readersOf(moved)).toEqual([]);
    await mark(carl, moved, 'add');
    expect(await readersOf(moved)).toEqual([]);
  });

  it('lists the readers of direct messages', async () => {
    const { body } = await anna.api.post('/messages', { type: 'direct', to: [bert.id, carl.id], content: 'x' });
    await mark(carl, body.id, 'add');
    expect(await readersOf(body.id)).toEqual([carl.id]);
  });

  it('refuses callers who cannot read the message, and all callers if the organization disables read receipts', async () => {
    const id = await send();
    const unseen = await outsider.api.get(`/messages/${id}/read_receipts`);
    expect({ status: unseen.status, body: unseen.body }).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'Invalid message(s)' },
    });
    await owner.api.patch('/realm', { enable_read_receipts: false });
    const { status, body } = await anna.api.get(`/messages/${id}/read_receipts`);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'Read receipts are disabled in this organization.' },
    });
  });
});
