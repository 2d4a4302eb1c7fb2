import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

type Params = Record<string, unknown>;

describe('channel folders over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let member: Member;
  let guest: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    [member, guest] = [await annals.user('member'), await annals.user('guest', 600)];
  });
  afterAll(() => annals.stop());

  const create = (params: Params, who = owner) => who.api.post('/channel_folders/create', params);
  const change = (id: number, params: Params, who = owner) => who.api.patch(`/channel_folders/${id}`, params);
  const reorder = (order: readonly number[], who = owner) => who.api.patch('/channel_folders', { order });
  const list = async (who = guest, params: Params = {}) =>
    (await who.api.get('/channel_folders', params)).body.channel_folders;
  const registered = async (who = guest) =>
    (await who.api.post('/register', { fetch_event_types: ['channel_folders'] })).body.channel_folders;
  const queueOf = (...event_types: string[]) => EventQueue.register(guest.api, { event_types });
  const made = async (name: string): Promise<number> => (await create({ name })).body.channel_folder_id;
  const channelIn = async (name: string, folder_id: number | null): Promise<number> =>
    (await owner.api.post('/channels/create', { name, subscribers: [owner.id, guest.id], folder_id })).body.id;
  const channel = async (id: number, who = owner) => (await who.api.get(`/streams/${id}`)).body.stream;

  it('are made by an administrator, and listed, told and registered for everybody', async () => {
    expect(await list()).toEqual([]);
    const queue = await queueOf('channel_folder');
    const head = await annals.head();
    const { status, body } = await create({ name: ' Frontend ', description: 'All of the *web*' });
    expect([status, body]).toEqual([200, { result: 'success', msg: '', channel_folder_id: 1 }]);
    const folder = {
      id: 1,
      name: 'Frontend',
      description: 'All of the *web*',
      rendered_description: '<p>All of the <em>web</em></p>',
      date_created: expect.any(Number),
      creator_id: owner.id,
      is_archived: false,
      order: 0,
    };
    expect(await list()).toEqual([folder]);
    expect(await registered()).toEqual([folder]);
    expect(await told(queue)).toEqual([{ type: 'channel_folder', op: 'add', channel_folder: folder }]);
    expect(await annals.events('channels', head)).toMatchObject([
      { type: 'ChannelFolderCreated', data: { folderId: 1, name: 'Frontend', creatorId: owner.id } },
    ]);
    expect(await made('Backend')).toBe(2);
    expect((await list())[1]).toMatchObject({ id: 2, order: 1, description: '', rendered_description: '' });
  });

  it('change, with an event that has what has changed', async () => {
    const queue = await queueOf('channel_folder');
    expect((await change(1, { name: 'Web', description: '**all**' })).status).toBe(200);
    expect(await told(queue)).toEqual([
      { type: 'channel_folder', op: 'update', channel_folder_id: 1, data: { name: 'Web' } },
      {
        type: 'channel_folder',
        op: 'update',
        channel_folder_id: 1,
        data: { description: '**all**', rendered_description: '<p><strong>all</strong></p>' },
      },
    ]);
    expect((await list())[0]).toMatchObject({ name: 'Web', rendered_description: '<p><strong>all</strong></p>' });
    expect((await change(1, { name: 'Web' })).status).toBe(200);
    expect(await told(queue)).toEqual([]);
  });

  it('are put in another order, and the order is told', async () => {
    const third = await made('Third');
    const queue = await queueOf('channel_folder');
    expect((await reorder([third, 1, 2])).status).toBe(200);
    expect(await told(queue)).toEqual([{ type: 'channel_folder', op: 'reorder', order: [third, 1, 2] }]);
    const orders = (await list()).map(({ id, order }: { id: number; order: number }) => [id, order]);
    expect(orders).toEqual([
      [third, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  it('have channels, from their creation or later, and the channel tells its folder', async () => {
    const queue = await queueOf('stream', 'subscription');
    const id = await channelIn('buttons', 1);
    expect(await channel(id)).toMatchObject({ folder_id: 1 });
    const events = await told(queue);
    expect(events.find(({ type, op }) => type === 'stream' && op === 'create')).toMatchObject({
      streams: [{ stream_id: id, folder_id: 1 }],
    });
    expect(events.find(({ type, op }) => type === 'subscription' && op === 'add')).toMatchObject({
      subscriptions: [{ stream_id: id, folder_id: 1 }],
    });
    for (const folder_id of [2, null]) {
      expect((await owner.api.patch(`/streams/${id}`, { folder_id })).body).toEqual({ result: 'success', msg: '' });
      const update = { stream_id: id, name: 'buttons', property: 'folder_id', value: folder_id };
      expect(await told(queue)).toEqual([{ type: 'stream', op: 'update', ...update }]);
      expect(await channel(id, guest)).toMatchObject({ folder_id });
    }
    const subscriptions = JSON.stringify([{ name: 'icons' }, { name: 'lists' }]);
    const { body } = await owner.api.post('/users/me/subscriptions', { subscriptions, folder_id: 2 });
    expect(body.ignored_parameters_unsupported).toBeUndefined();
    const { streams } = (await owner.api.get('/streams')).body;
    const inFolder = streams.filter(({ folder_id }: { folder_id: number }) => folder_id === 2);
    expect(inFolder.map(({ name }: { name: string }) => name).sort()).toEqual(['icons', 'lists']);
  });

  it('are archived when they are empty, and then listed only on request, and take no channel', async () => {
    const id = await made('Old');
    const inside = await channelIn('attic', id);
    const queue = await queueOf('channel_folder');
    await expectRefusal(
      annals,
      () => change(id, { is_archived: true }),
      'A channel folder with channels cannot be archived: take them out first.',
    );
    await owner.api.patch(`/streams/${inside}`, { folder_id: null });
    expect((await change(id, { is_archived: true })).status).toBe(200);
    const archived = expect.objectContaining({ id, is_archived: true });
    expect(await list()).not.toContainEqual(archived);
    expect(await list(guest, { include_archived: true })).toContainEqual(archived);
    expect(await registered()).toContainEqual(archived);
    await expectRefusal(
      annals,
      () => owner.api.patch(`/streams/${inside}`, { folder_id: id }),
      'Channel folder is archived',
    );
    expect((await change(id, { is_archived: false })).status).toBe(200);
    expect(await list()).toContainEqual(expect.objectContaining({ id, is_archived: false }));
    expect((await told(queue)).map(({ data }) => data)).toEqual([{ is_archived: true }, { is_archived: false }]);
  });

  it('answer every documented refusal, and append nothing', async () => {
    const NO_ADMINISTRATOR = { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization administrator' };
    const refused = async (ask: () => Promise<{ status: number; body: Params }>, expected: Params) => {
      const head = await annals.head();
      const { status, body } = await ask();
      expect([status, body]).toEqual([400, { result: 'error', code: 'BAD_REQUEST', ...expected }]);
      expect(await annals.head()).toBe(head);
    };
    await refused(() => create({ name: 'x' }, member), NO_ADMINISTRATOR);
    await refused(() => change(1, { name: 'x' }, member), NO_ADMINISTRATOR);
    await refused(() => reorder([1], member), NO_ADMINISTRATOR);
    await refused(() => create({ name: ' ' }), { msg: "Channel folder name can't be empty." });
    await refused(() => create({ name: 'x'.repeat(61) }), { msg: 'name is too long (limit: 60 characters)' });
    await refused(() => create({ name: 'x', description: 'x'.repeat(1025) }), {
      msg: 'description is too long (limit: 1024 characters)',
    });
    await refused(() => create({ name: 'WEB' }), { msg: 'Channel folder name already in use' });
    await refused(() => change(2, { name: 'web' }), { msg: 'Channel folder name already in use' });
    await refused(() => change(99, { name: 'x' }), { msg: 'Invalid channel folder ID' });
    await refused(() => reorder([1, 2]), { msg: 'Invalid order mapping' });
    await refused(() => owner.api.post('/channels/create', { name: 'new', subscribers: [], folder_id: 99 }), {
      msg: 'Invalid channel folder ID',
    });
    const { _: missing } = { _: await create({}) };
    expect([missing.status, missing.body.code]).toEqual([400, 'REQUEST_VARIABLE_MISSING']);
  });

  it('have no channel in an archived folder, whoever is first', async () => {
    const id = await made('Contested');
    const channelId = await channelIn('contested', null);
    const answers = await Promise.all([
      change(id, { is_archived: true }),
      owner.api.patch(`/streams/${channelId}`, { folder_id: id }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('are the same after a rebuild, as their events are', async () => {
    const queue = await queueOf('channel_folder', 'stream');
    const again = await queueOf('channel_folder', 'stream');
    const id = await made('Rebuilt');
    await channelIn('rebuilt', id);
    await change(id, { description: 'again' });
    const before = await registered();
    const events = await told(queue);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['client-events', 'directory'], () => {});
    expect(await told(again)).toEqual(events);
    await annals.restart(() => annals.removeDocuments());
    expect(await registered()).toEqual(before);
    const { streams } = (await owner.api.get('/streams')).body;
    expect(streams.find(({ name }: { name: string }) => name === 'rebuilt')).toMatchObject({ folder_id: id });
  });
});
